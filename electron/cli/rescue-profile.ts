import {existsSync, mkdirSync} from 'node:fs'
import {basename, dirname, join, resolve} from 'node:path'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainStoreError} from '../../shared/words/explain-store-error.ts'
import {systemClock} from '../engine/clock.ts'
import {findDamage} from '../engine/store/database.ts'
import {freeName} from '../engine/store/free-name.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {lockProfile} from '../engine/store/profile-lock.ts'
import {type SalvageReport, salvage} from '../engine/store/rescue.ts'
import type {StoreError} from '../engine/store/store.ts'
import {describeSalvage} from './describe-salvage.ts'
import {EXIT} from './exit-codes.ts'
import {type Output, printable} from './output.ts'

export interface RescueArguments {
  readonly profile?: string
  /** The new file. Default: beside the old one. */
  readonly into?: string
  readonly json?: boolean
}

/**
 * `tidemark rescue`: saves what can be read of a damaged store into a new file, and says what a person would do to go on with
 * it. The damaged one stays where it is, as it is.
 */
export async function rescueProfile(args: RescueArguments, output: Output): Promise<number> {
  const directory = profileDirectory(args.profile)
  const {store} = profileFiles(directory)
  if (!existsSync(store)) return failed(`There is no store in ${directory}.`, output)
  const lock = lockProfile(directory, {pid: process.pid, mode: 'rescue', since: systemClock().now()})
  if (!lock.ok)
    return lock.error.kind === 'owned'
      ? failed(`Another Tidemark uses the profile ${directory}: close it first.`, output)
      : failed(words(lock.error), output)
  try {
    const damage = findDamage(store)
    if (damage === undefined) return sound(store, args, output)
    if (damage.kind !== 'corrupt') return failed(words(damage), output)
    const into = args.into === undefined ? freeName(`${store}.rescued`) : resolve(args.into)
    if (existsSync(into)) return failed(`${into} is there already: name another file.`, output)
    const saved = salvage(store, into)
    if (!saved.ok) return failed(words(saved.error), output)
    await tell(saved.value, goingOn(store, into), args, output)
    return EXIT.ok
  } finally {
    lock.value.release()
  }
}

async function sound(store: string, args: RescueArguments, output: Output): Promise<number> {
  const text = `${store} is not damaged; nothing was written.`
  await output.line(args.json === true ? JSON.stringify({fact: 'sound', store}) : text)
  return EXIT.ok
}

/** Each as the arguments of `mv`. */
type Move = readonly string[]

/**
 * The damaged store has to go with its log, which would otherwise be read over the new one; into a folder, where they stay
 * together.
 */
function goingOn(store: string, into: string): readonly Move[] {
  const folder = freeName(join(dirname(store), 'damaged'))
  mkdirSync(folder, {mode: 0o700})
  const damaged = ['', '-wal', '-shm'].map((suffix) => store + suffix).filter((file) => existsSync(file))
  return [
    [...damaged, `${folder}/`],
    [into, store],
  ]
}

async function tell(
  report: SalvageReport,
  moves: readonly Move[],
  args: RescueArguments,
  output: Output,
): Promise<void> {
  const commands = moves.map((move) => ['mv', ...move])
  if (args.json === true) return output.line(JSON.stringify({fact: 'rescued', ...report, commands}))
  for (const line of describeSalvage(report)) await output.line(printable(line))
  await output.line(`To go on with ${basename(report.into)}, move the damaged store away and it into its place:`)
  for (const command of commands) await output.line(`  ${command.map(quoted).join(' ')}`)
}

/** For a shell, where it needs it. */
function quoted(word: string): string {
  return /^[\w./:@%+=,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

function words(error: StoreError): string {
  return inOneLine(explainStoreError(error))
}

function failed(problem: string, output: Output): number {
  output.note(problem)
  return EXIT.failed
}
