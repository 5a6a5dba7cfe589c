import {existsSync} from 'node:fs'
import {assertNever} from '../../shared/base/assert-never.ts'
import type {GapRow} from '../../shared/contract/rows.ts'
import {connectionRowOf, pairsOf} from '../../shared/contract/to-rows.ts'
import type {Position} from '../../shared/position/position.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainStoreError} from '../../shared/words/explain-failure.ts'
import {nameConnection} from '../../shared/words/name-state.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {openSqliteStore} from '../engine/store/sqlite-store.ts'
import type {Store, StoredProfile, StoredSource} from '../engine/store/store.ts'
import {changesText, positionText} from './describe-replay-line.ts'
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

const SOURCE_COLUMNS = ['SOURCE', 'KIND', 'LAST RECORDED STATE', 'POSITION', 'FRAMES', 'GAPS']

/** `tidemark positions`: the durable, acknowledged positions. */
export function listPositions(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async ({sources}) => {
    for (const {record, position, vectorSeen} of sources) {
      const held = jsonOf(position)
      await output.line(
        args.json === true
          ? JSON.stringify({source: record.id, name: record.name, position: held, vectorSeen})
          : printable(`${record.name}: ${positionText(held)}`),
      )
    }
  })
}

const PAGE = 200

/** `tidemark gaps`: the whole ledger, newest first over all sources, those that left the board too. */
export function listGaps(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async ({sources, removed}, store) => {
    const owners = new Map<string, Owner>([
      ...removed.map(({id, name}) => [id, {name, removed: true}] as const),
      ...sources.map(({record: {id, name}}) => [id, {name, removed: false}] as const),
    ])
    for await (const gap of ledger(store)) {
      const owner = owners.get(gap.source)
      if (owner !== undefined)
        await output.line(args.json === true ? JSON.stringify(gapJson(gap, owner)) : printable(gapText(gap, owner)))
    }
  })
}

/** Whose gap it is. */
interface Owner {
  readonly name: string
  readonly removed: boolean
}

/** Every gap with all of its coordinates, page by page. */
async function* ledger(store: Store): AsyncGenerator<GapRow> {
  let before: Parameters<Store['read']['gaps']>[1]
  for (;;) {
    const page = await store.read.gaps(undefined, before, PAGE, true)
    yield* page.gaps
    if (page.next === undefined) return
    before = page.next as typeof before // the store's own word for the next page
  }
}

type Listed = Pick<StoredProfile, 'sources' | 'removed'>
type ListWork = (listed: Listed, store: Store) => Promise<void>

async function withSources(args: ListArguments, output: Output, work: ListWork): Promise<number> {
  const directory = profileDirectory(args.profile)
  if (!existsSync(profileFiles(directory).store)) {
    output.note(`There is no profile in ${directory} yet: nothing was ever watched with it.`)
    return EXIT.failed
  }
  const workerUrl = new URL('../engine/store/store-worker.ts', import.meta.url)
  const opened = await openSqliteStore({path: profileFiles(directory).store, workerUrl, access: 'read'})
  if (!opened.ok) {
    output.note(`${directory}: ${inOneLine(explainStoreError(opened.error))}`)
    return EXIT.failed
  }
  try {
    const {sources, removed} = await opened.value.load()
    const asked = ({id, name}: SourceRecord): boolean =>
      args.source === undefined || id === args.source || name === args.source
    const listed = {sources: sources.filter(({record}) => asked(record)), removed: removed.filter(asked)}
    if (args.source !== undefined && listed.sources.length + listed.removed.length === 0) {
      output.note(`No source is named ${args.source} in ${directory}.`)
      return EXIT.failed
    }
    await work(listed, opened.value)
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

function gapJson(gap: GapRow, owner: Owner) {
  const {before, after, said, receivedAt, appliedAt, ...rest} = gap
  const {position, ...words} = said
  return {
    fact: 'gap',
    name: owner.name,
    ...(owner.removed ? {sourceRemoved: true} : {}),
    ...rest,
    receivedAt: isoTime(receivedAt),
    ...(appliedAt === undefined ? {} : {appliedAt: isoTime(appliedAt)}),
    said: {...words, ...(position === undefined ? {} : {position: Object.fromEntries(position)})},
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}

function gapText(gap: GapRow, {name, removed}: Owner): string {
  const reason = gap.said.reason === undefined ? '' : `  “${gap.said.reason}”`
  return `${isoTime(gap.receivedAt)}  ${name}${removed ? ' (removed)' : ''}  ${gap.outcome}  ${effectText(gap)}${reason}`
}

/** What was applied, or would have been. */
function effectText(gap: GapRow): string {
  const steps = changesText(Object.fromEntries(gap.before), Object.fromEntries(gap.after))
  const wouldBe = steps === undefined ? 'would move nothing' : `would be ${steps}`
  switch (gap.outcome) {
    case 'replaced':
    case 'ownReplaced':
    case 'unmoved':
    case 'malformed':
      return steps ?? 'nothing moved'
    case 'pending':
      return `not applied yet, ${wouldBe}`
    case 'rejected':
      return `not applied, ${wouldBe}`
    case 'skipped':
      return gap.appliedAt === undefined ? `not applied, ${wouldBe}` : (steps ?? 'nothing moved')
    default:
      return assertNever(gap.outcome)
  }
}
