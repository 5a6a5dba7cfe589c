import {existsSync} from 'node:fs'
import {connectionRowOf, pairsOf} from '../../shared/contract/to-rows.ts'
import {cursorOfPosition} from '../../shared/cursor/cursor-position.ts'
import type {Position} from '../../shared/position/position.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainStoreError} from '../../shared/words/explain-store-error.ts'
import {wholeCursor} from '../../shared/words/name-cursor.ts'
import {nameConnection} from '../../shared/words/name-state.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {openStoreView, type StoreView} from '../engine/store/sqlite-store.ts'
import {type StoreError, StoreFailure} from '../engine/store/store.ts'
import type {ViewedProfile, ViewedSource} from '../engine/store/view-profile.ts'
import {positionText} from './describe-replay-line.ts'
import {EXIT} from './exit-codes.ts'
import {isoTime, type Output, printable, table} from './output.ts'

export interface ListArguments {
  readonly profile?: string
  readonly json?: boolean
  /** A name or an id. */
  readonly source?: string
}

/** `tidemark sources`: reads beside whoever owns the profile. */
export function listSources(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async ({sources}) => {
    const lines =
      args.json === true
        ? sources.map((stored) => JSON.stringify(sourceJson(stored)))
        : table(SOURCE_COLUMNS, sources.map(sourceCells)).map(printable)
    for (const line of lines) await output.line(line)
  })
}

const SOURCE_COLUMNS = ['SOURCE', 'KIND', 'LAST RECORDED STATE', 'POSITION', 'FRAMES', 'GAPS', 'HOLES']

/** `tidemark positions`: the durable, acknowledged positions. */
export function listPositions(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async ({sources}) => {
    for (const {record, position, vectorSeen} of sources) {
      const {id: source, name} = record
      const held = position === undefined ? UNREADABLE_POSITION : heldOf(position)
      await output.line(
        args.json === true
          ? JSON.stringify({source, name, ...held, vectorSeen})
          : printable(`${name}: ${position === undefined ? UNREADABLE : heldText(position)}`),
      )
    }
  })
}

/** A cursor {generation, sequence} is told as such, too. */
function heldOf(position: Position) {
  const cursor = cursorOfPosition(position)
  return {position: jsonOf(position), ...(cursor === undefined ? {} : {cursor})}
}

function heldText(position: Position): string {
  const cursor = cursorOfPosition(position)
  return cursor === undefined ? positionText(jsonOf(position)) : wholeCursor(cursor)
}

const UNREADABLE = '(could not be read)'
const UNREADABLE_POSITION = {unreadable: ['position']} as const

type Listed = Pick<ViewedProfile, 'sources' | 'removed'>
type ListWork = (listed: Listed, store: StoreView) => Promise<void>

export async function withSources(args: ListArguments, output: Output, work: ListWork): Promise<number> {
  const directory = profileDirectory(args.profile)
  if (!existsSync(profileFiles(directory).store)) {
    output.note(`There is no profile in ${directory} yet: nothing was ever watched with it.`)
    return EXIT.failed
  }
  const workerUrl = new URL('../engine/store/store-worker.ts', import.meta.url)
  const opened = await openStoreView(profileFiles(directory).store, workerUrl)
  if (!opened.ok) return complain(opened.error, directory, output)
  try {
    const {sources, removed, damage} = await opened.value.view()
    const asked = ({id, name}: SourceRecord): boolean =>
      args.source === undefined || id === args.source || name === args.source
    const listed = {sources: sources.filter(({record}) => asked(record)), removed: removed.filter(asked)}
    if (args.source !== undefined && listed.sources.length + listed.removed.length === 0 && damage === undefined) {
      output.note(`No source is named ${args.source} in ${directory}.`)
      return EXIT.failed
    }
    await work(listed, opened.value)
    return damage === undefined ? EXIT.ok : complain(damage, directory, output)
  } catch (cause) {
    if (cause instanceof StoreFailure) return complain(cause.error, directory, output)
    throw cause
  } finally {
    await opened.value.close()
  }
}

function complain(error: StoreError, directory: string, output: Output): number {
  output.note(`${directory}: ${inOneLine(explainStoreError(error))}`)
  return EXIT.failed
}

/** With `s` first, as people look for it. */
function jsonOf(position: Position): {readonly [key: string]: number} {
  return Object.fromEntries(pairsOf(position))
}

function sourceJson({record, position, vectorSeen, counts, unhandled, lastConnection, unreadable}: ViewedSource) {
  const {id, name, settings, paused, addedAt} = record
  return {
    source: id,
    name,
    settings,
    paused,
    addedAt: isoTime(addedAt),
    ...(position === undefined ? {} : {position: jsonOf(position)}),
    vectorSeen,
    ...(counts === undefined ? {} : {counts}),
    ...(unhandled === undefined ? {} : {unhandled: unhandled.length}),
    ...(lastConnection === undefined ? {} : {lastConnection: connectionJson(lastConnection)}),
    ...(unreadable.length === 0 ? {} : {unreadable}),
  }
}

function connectionJson(fact: NonNullable<ViewedSource['lastConnection']>) {
  const row = connectionRowOf(fact)
  return {...row, at: isoTime(row.at)}
}

function sourceCells({record, position, counts, lastConnection, unreadable}: ViewedSource): readonly string[] {
  return [
    record.name,
    record.settings.kind,
    unreadable.includes('lastConnection') ? UNREADABLE : stateText(lastConnection),
    position === undefined ? UNREADABLE : heldText(position),
    ...(['frames', 'gaps', 'holes'] as const).map((what) => (counts === undefined ? UNREADABLE : String(counts[what]))),
  ]
}

/** As it was recorded: whether anybody watches now is another question. */
function stateText(last: ViewedSource['lastConnection']): string {
  if (last === undefined) return 'never opened'
  const {stream, heartbeat, doing} = nameConnection(connectionRowOf(last))
  // Of one that is held it was not recorded whether it was read on.
  const words = last.state.kind === 'held' ? [doing] : [stream, heartbeat, doing]
  return `${words.filter((word) => word !== undefined).join(' × ')}, ${isoTime(last.at)}`
}
