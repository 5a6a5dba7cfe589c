import {assertNever} from '../../shared/base/assert-never.ts'
import type {GapRow, HoleRow, NumberingRow} from '../../shared/contract/rows.ts'
import {rangeOfHole, seenOfHole, shortHole} from '../../shared/words/explain-hole.ts'
import {sayNumbering} from '../../shared/words/explain-numbering.ts'
import type {StoreView} from '../engine/store/sqlite-store.ts'
import {changesText} from './describe-replay-line.ts'
import {type ListArguments, withSources} from './list-profile.ts'
import {isoTime, type Output, printable} from './output.ts'

/** `tidemark gaps`: the whole ledger, what was declared, what was seen and what the user said of a numbering, newest first over all sources, those that left the board too. */
export function listGaps(args: ListArguments, output: Output): Promise<number> {
  return withSources(args, output, async ({sources, removed}, store) => {
    const owners = new Map<string, Owner>([
      ...removed.map(({id, name}) => [id, {name, removed: true}] as const),
      ...sources.map(({record: {id, name}}) => [id, {name, removed: false}] as const),
    ])
    for await (const loss of newestFirst(newestFirst(gapsOf(store), holesOf(store)), numberingsOf(store))) {
      const owner = owners.get(loss.row.source)
      if (owner !== undefined)
        await output.line(args.json === true ? JSON.stringify(lossJson(loss, owner)) : printable(lossText(loss, owner)))
    }
  })
}

/** Whose it is. */
interface Owner {
  readonly name: string
  readonly removed: boolean
}

/** Declared by the server, or seen here, or what the user said where a numbering began anew. */
type Loss =
  | {readonly kind: 'gap'; readonly row: GapRow}
  | {readonly kind: 'hole'; readonly row: HoleRow}
  | {readonly kind: 'numbering'; readonly row: NumberingRow}

/** Two lists, each newest first, as one. */
async function* newestFirst(a: AsyncGenerator<Loss>, b: AsyncGenerator<Loss>): AsyncGenerator<Loss> {
  let [nextA, nextB] = [await a.next(), await b.next()]
  while (nextA.done !== true || nextB.done !== true) {
    if (nextB.done === true || (nextA.done !== true && nextA.value.row.frame > nextB.value.row.frame)) {
      if (nextA.done !== true) yield nextA.value
      nextA = await a.next()
    } else {
      yield nextB.value
      nextB = await b.next()
    }
  }
}

const PAGE = 200

type Before = Parameters<StoreView['read']['gaps']>[1]

/** With all of their coordinates. */
async function* gapsOf({read}: StoreView): AsyncGenerator<Loss> {
  const rows = pages(async (before, limit) => {
    const {gaps, next} = await read.gaps(undefined, before, limit, true)
    return {rows: gaps, next}
  })
  for await (const row of rows) yield {kind: 'gap', row}
}

async function* holesOf({read}: StoreView): AsyncGenerator<Loss> {
  const rows = pages(async (before, limit) => {
    const {holes, next} = await read.holes(undefined, before, limit)
    return {rows: holes, next}
  })
  for await (const row of rows) yield {kind: 'hole', row}
}

async function* numberingsOf({read}: StoreView): AsyncGenerator<Loss> {
  const rows = pages(async (before, limit) => {
    const {numberings, next} = await read.numberings(undefined, before, limit)
    return {rows: numberings, next}
  })
  for await (const row of rows) yield {kind: 'numbering', row}
}

type ReadPage<Row> = (
  before: Before,
  limit: number,
) => Promise<{readonly rows: readonly Row[]; readonly next: number | undefined}>

/** Page by page; where one row cannot be read, all before it, one by one. */
async function* pages<Row>(read: ReadPage<Row>): AsyncGenerator<Row> {
  let before: Before
  let limit = PAGE
  for (;;) {
    const page = await read(before, limit).catch((cause: unknown) => {
      if (limit === 1) throw cause
      return undefined
    })
    if (page === undefined) {
      limit = 1
      continue
    }
    yield* page.rows
    if (page.next === undefined) return
    before = page.next as typeof before // the store's own word for the next page
  }
}

function lossJson(loss: Loss, {name, removed}: Owner) {
  const {receivedAt, ...row} = rowJson(loss)
  return {
    fact: loss.kind,
    name,
    ...(removed ? {sourceRemoved: true} : {}),
    ...row,
    receivedAt: isoTime(receivedAt),
  }
}

function rowJson(loss: Loss) {
  switch (loss.kind) {
    case 'gap':
      return gapJson(loss.row)
    case 'hole':
      return loss.row
    case 'numbering':
      return {...loss.row, decidedAt: isoTime(loss.row.decidedAt)}
    default:
      return assertNever(loss)
  }
}

function gapJson({before, after, said: {position, ...words}, appliedAt, account, ...rest}: GapRow) {
  return {
    ...rest,
    ...(account === undefined ? {} : {account: {at: isoTime(account.at), note: account.note}}),
    ...(appliedAt === undefined ? {} : {appliedAt: isoTime(appliedAt)}),
    said: {...words, ...(position === undefined ? {} : {position: Object.fromEntries(position)})},
    before: Object.fromEntries(before),
    after: Object.fromEntries(after),
  }
}

function lossText(loss: Loss, {name, removed}: Owner): string {
  const whose = `${isoTime(loss.row.receivedAt)}  ${name}${removed ? ' (removed)' : ''}`
  return `${whose}  ${textOf(loss)}`
}

function textOf(loss: Loss): string {
  switch (loss.kind) {
    case 'gap':
      return gapText(loss.row)
    case 'hole':
      return holeText(loss.row)
    case 'numbering':
      return `numbering  ${sayNumbering(loss.row)}  decided ${isoTime(loss.row.decidedAt)}`
    default:
      return assertNever(loss)
  }
}

function gapText(gap: GapRow): string {
  const reason = gap.said.reason === undefined ? '' : `  “${gap.said.reason}”`
  const account = gap.account === undefined ? '' : `  the user said “${gap.account.note}”`
  return `${gap.outcome}  ${effectText(gap)}${reason}${account}`
}

/** Some numbers may never have been meant for us, so "up to". What the server said of it stands beside. */
function holeText(hole: HoleRow): string {
  const range = rangeOfHole(hole)
  const {by, purpose, said} = hole
  return [
    `hole  up to ${shortHole(hole)}${range === undefined ? '' : `: ${range}`}`,
    by === 'snapshot' ? `${seenOfHole(hole)} (${purpose ?? 'no purpose'})` : seenOfHole(hole),
    ...(said === undefined ? [] : [`the server said “${said}”`]),
  ].join('  ')
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
