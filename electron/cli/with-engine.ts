import {existsSync} from 'node:fs'
import type {Client} from '../../shared/contract/client.ts'
import type {SourceView} from '../../shared/contract/rows.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainRequestError} from '../../shared/words/explain-failure.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {EXIT} from './exit-codes.ts'
import {type Output, printable} from './output.ts'
import {reachEngine} from './reach-engine.ts'

export interface EngineArguments {
  readonly profile?: string
  /** A name or an id. */
  readonly source: string
  /** Where nobody owns the profile, the source is watched while the command runs. Absent: it is. */
  readonly isWatched?: boolean
}

/** Work on one source of an engine, wherever that runs. Returns the exit code. */
export async function withEngine(
  {profile, source: named, isWatched = true}: EngineArguments,
  output: Output,
  work: (client: Client, view: SourceView) => Promise<number>,
): Promise<number> {
  const directory = profileDirectory(profile)
  if (!existsSync(profileFiles(directory).store)) {
    output.note(`There is no profile in ${directory} yet: nothing was ever watched with it.`)
    return EXIT.failed
  }
  const isMeant = ({id, name}: {readonly id: string; readonly name: string}): boolean => id === named || name === named
  const reached = await reachEngine(directory, (record) => isWatched && isMeant(record))
  if (!reached.ok) {
    output.note(reached.error)
    return EXIT.failed
  }
  const {client, close} = reached.value
  try {
    const list = await client.request('sources.list', {})
    if (!list.ok) {
      output.note(inOneLine(explainRequestError(list.error)))
      return EXIT.failed
    }
    const [view, ...others] = list.value.filter(isMeant)
    if (view === undefined || others.length > 0) {
      const how = view === undefined ? 'No source is' : 'More than one source is'
      output.note(printable(`${how} named ${named} in ${directory}.`))
      return EXIT.failed
    }
    return await work(client, view)
  } finally {
    await close()
  }
}
