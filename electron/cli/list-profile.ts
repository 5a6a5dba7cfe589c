import type {GapRow} from '../../shared/contract/rows.ts'
import {connectionRowOf, pairsOf} from '../../shared/contract/to-rows.ts'
import type {Position} from '../../shared/position/position.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainStoreError} from '../../shared/words/explain-failure.ts'
import {nameConnection} from '../../shared/words/name-state.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {openSqliteStore} from '../engine/store/sqlite-store.ts'
import type {Store, StoredSource} from '../engine/store/store.ts'
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
  return withSources(args, output, async (sources) => {
    if (args.json === true) for (const stored of sources) output.line(JSON.stringify(sourceJson(stored)))
    else
      for (const line of table(
        ['SOURCE', 'KIND', 'LAST RECORDED STATE', 'POSITION', 'FRAMES', 'GAPS'],
        sources.map(sourceCells),
      ))
        output.line(printable(line))
  })
}

/** `tidemark positions`: the durable, acknowledged positions. */
export function listPositions(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async (sources) => {
    for (const {record, position, vectorSeen} of sources) {
      if (args.json === true)
        output.line(JSON.stringify({source: record.id, name: record.name, position: jsonOf(position), vectorSeen}))
      else output.line(printable(`${record.name}: ${positionText(jsonOf(position))}`))
    }
  })
}

const PAGE = 200

/** `tidemark gaps`: the whole ledger, newest first. */
export function listGaps(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async (sources, store) => {
    for (const {record} of sources) {
      let before: Parameters<Store['read']['gaps']>[1]
      for (;;) {
        const page = await store.read.gaps(record.id, before, PAGE)
        for (const gap of page.gaps)
          output.line(
            args.json === true ? JSON.stringify(gapJson(gap, record.name)) : printable(gapText(gap, record.name)),
          )
        if (page.next === undefined) break
        before = page.next as typeof before // the store's own word for the next page
      }
    }
  })
}

type ListWork = (sources: readonly StoredSource[], store: Store) => Promise<void>

async function withSources(args: ListArguments, output: Output, work: ListWork): Promise<number> {
  const directory = profileDirectory(args.profile)
  const workerUrl = new URL('../engine/store/store-worker.ts', import.meta.url)
  const opened = await openSqliteStore({path: profileFiles(directory).store, workerUrl, access: 'read'})
  if (!opened.ok) {
    output.note(`${directory}: ${inOneLine(explainStoreError(opened.error))}`)
    return EXIT.failed
  }
  try {
    const {sources} = await opened.value.load()
    const asked = sources.filter(
      ({record}) => args.source === undefined || record.id === args.source || record.name === args.source,
    )
    if (args.source !== undefined && asked.length === 0) {
      output.note(`No source is named ${args.source} in ${directory}.`)
      return EXIT.failed
    }
    await work(asked, opened.value)
    return EXIT.ok
  } finally {
    await opened.value.close()
  }
}

/** With `s` first, as people look for it. */
function jsonOf(position: Position): {readonly [key: string]: number} {
  return Object.fromEntries(pairsOf(position))
}

function sourceJson({record, position, vectorSeen, counts, unhandled, lastConnection}: StoredSource) {
  const {id, name, settings, paused, addedAt} = record
  return {
    source: id,
    name,
    settings,
    paused,
    addedAt: isoTime(addedAt),
    position: jsonOf(position),
    vectorSeen,
    counts,
    unhandled: unhandled.length,
    ...(lastConnection === undefined ? {} : {lastConnection: connectionRowOf(lastConnection)}),
  }
}

function sourceCells({record, position, counts, lastConnection}: StoredSource): readonly string[] {
  return [
    record.name,
    record.settings.kind,
    stateText(lastConnection),
    positionText(jsonOf(position)),
    String(counts.frames),
    String(counts.gaps),
  ]
}

/** As it was recorded: whether anybody watches now is another question. */
function stateText(last: StoredSource['lastConnection']): string {
  if (last === undefined) return 'never opened'
  const {stream, heartbeat, doing} = nameConnection(connectionRowOf(last))
  return `${[stream, heartbeat, doing].filter((word) => word !== undefined).join(' × ')}, ${isoTime(last.at)}`
}

function gapJson(gap: GapRow, name: string) {
  const {before, after, said, receivedAt, appliedAt, ...rest} = gap
  const {position, ...words} = said
  return {
    fact: 'gap',
    name,
    ...rest,
    receivedAt: isoTime(receivedAt),
    ...(appliedAt === undefined ? {} : {appliedAt: isoTime(appliedAt)}),
    said: {...words, ...(position === undefined ? {} : {position: Object.fromEntries(position)})},
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}

function gapText(gap: GapRow, name: string): string {
  const after = new Map(gap.after)
  const changed = gap.before.filter(([key, value]) => after.get(key) !== value)
  const steps = changed.map(([key, value]) => `${key} ${value} → ${after.get(key) ?? 'removed'}`)
  const reason = gap.said.reason === undefined ? '' : `  “${gap.said.reason}”`
  return `${isoTime(gap.receivedAt)}  ${name}  ${gap.outcome}  ${steps.join(', ') || 'nothing moved'}${reason}`
}
