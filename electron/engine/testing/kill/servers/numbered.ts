import {mkdtempSync, readFileSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {NumberedFrom} from '../../../../../shared/source/numbered.ts'
import type {NumberedScenario} from '../../../../demo/numbered/scenario.ts'
import {COMPILED} from '../../compiled.ts'
import type {KeptProfile} from '../check-profile.ts'
import {doneInOrder, misled, type Numbered, undecided} from '../cursor-rules.ts'
import {broken} from '../rules.ts'
import {type KilledServer, keepAlive} from './killed-server.ts'
import {startMortal} from './mortal.ts'
import {startRelay} from './relay.ts'
import type {Server} from './server.ts'

const note = (text: string) => ({kind: 'event', event: {kind: 'note', text}}) as const

/** Snapshots and events without end, whoever reads. */
const RISING: NumberedScenario = {
  name: 'rising',
  about: 'snapshots and events, over and over',
  steps: [
    {afterMs: 100, do: note('flood'), when: 'always'},
    {afterMs: 100, do: note('half tide'), when: 'always'},
    {afterMs: 100, do: note('high water'), when: 'always'},
    {afterMs: 100, do: {kind: 'snapshot', reason: 'checkpoint'}, when: 'always'},
  ],
  loopFrom: 0,
}

/** Each numbering begins far below the one before: one that had grown up to the old cursor meanwhile could not be told from it. */
const HIGHEST = 100_000
const BELOW = 10_000

export type Over = NumberedFrom['over']

/** A demo server of numbered cursors that dies as often as it is told to, with its snapshot store or without. */
export interface NumberedServer extends Server, KilledServer {
  /** Killed, and its store is gone before the next one begins. */
  readonly loseStore: () => Promise<void>
}

export async function startNumbered(over: Over, speed = 3): Promise<NumberedServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-numbered-'))
  const [store, file] = [join(folder, 'store'), join(folder, 'stream.jsonl')]
  const [lines, sse] = [await startRelay(join(folder, 'n.sock')), await startRelay(0)]
  /** What servers of earlier numberings made. */
  const lost: (readonly Numbered[])[] = []
  let lives = 0
  const start = () => {
    lives += 1
    const scenario = {...RISING, firstGeneration: HIGHEST - lost.length * BELOW}
    const plan = {
      kind: 'numbered',
      scenario,
      speed,
      store,
      file,
      linePort: join(folder, `${lives}.sock`),
    } as const
    return startMortal(plan, COMPILED)
  }
  const relays = [
    {relay: lines, at: 0},
    {relay: sse, at: 1},
  ]
  const server = await keepAlive(start, over === 'sse' ? relays.reverse() : relays)
  const made = (): readonly Numbered[] => cursorsIn(over === 'file' ? file : join(store, 'snapshots.jsonl'))
  return {
    ...server,
    source: {
      kind: 'numbered',
      settings: {
        kind: 'numbered',
        from: fromOf(over, {file, ...addresses(lines.address, sse.address)}),
        cursorAt: 'cursor',
        typeAt: 'type',
        future: 'fail',
      },
    },
    loseStore: () =>
      server.kill(() => {
        lost.push(made())
        rmSync(store, {recursive: true})
      }),
    examine: async (kept) => [...misled(kept), ...undecided(kept), ...leftOut(kept, [...lost, made()])],
    async close() {
      await server.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

function addresses(lines: number | string, sse: number | string) {
  return {socket: String(lines), url: `http://127.0.0.1:${sse}/events`}
}

function fromOf(
  over: Over,
  {socket, url, file}: {readonly socket: string; readonly url: string; readonly file: string},
): NumberedFrom {
  if (over === 'file') return {over, path: file}
  if (over === 'socket') return {over, address: socket, resume: '{"resume":{cursor},"future":"{future}"}'}
  return {over, url, query: 'generation={generation}&sequence={sequence}&future={future}', lastEventId: ''}
}

function cursorsIn(path: string): readonly Numbered[] {
  const text = readFileSync(path, 'utf8')
  const whole = text
    .slice(0, text.lastIndexOf('\n') + 1)
    .split('\n')
    .filter(Boolean)
  return whole.map((line) => JSON.parse(line).cursor as Numbered) // written by the demo server
}

/** While the server's store is there nothing is lost: what is handled is what was made, from the first on, each once and in order. */
function leftOut(kept: KeptProfile, numberings: readonly (readonly Numbered[])[]): readonly string[] {
  const runs: string[][] = []
  let before: Numbered | undefined
  for (const cursor of doneInOrder(kept)) {
    if (before === undefined || isBefore(cursor, before)) runs.push([])
    runs.at(-1)?.push(textOf(cursor))
    before = cursor
  }
  return runs.flatMap((run, n) => {
    const made = (numberings[n] ?? []).map(textOf)
    return broken(
      `of numbering ${n + 1}, handled otherwise than made`,
      run.filter((cursor, index) => cursor !== made[index]),
    )
  })
}

function isBefore(a: Numbered, b: Numbered): boolean {
  return a.generation < b.generation || (a.generation === b.generation && a.sequence < b.sequence)
}

function textOf({generation, sequence}: Numbered): string {
  return `${generation}:${sequence}`
}
