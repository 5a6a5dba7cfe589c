import type {GenerationRow} from '../../../shared/contract/rows.ts'
import {laneOfGeneration} from '../../../shared/cursor/cursor-position.ts'
import type {Change} from '../../../shared/history/change.ts'
import type {FrameId} from '../../../shared/history/fact.ts'
import type {GenerationSeen} from '../../../shared/history/generation.ts'
import type {NumberingDecision} from '../../../shared/history/numbering.ts'
import type {SourceId} from '../../../shared/source/source.ts'

/** What was seen of generations, and which numberings they are of. */
export interface GenerationRecords {
  readonly generations: Map<string, GenerationRow>
  /** By the first frame of the new one. */
  readonly numberings: Map<FrameId, NumberingDecision>
}

/** Which of its numberings a source is in: each that was taken is one more. */
function numberingOf({numberings}: GenerationRecords, source: string): number {
  return takenOf(numberings, source).length
}

function takenOf(numberings: GenerationRecords['numberings'], source: string): readonly NumberingDecision[] {
  return [...numberings.values()].filter((one) => one.source === source && one.decision === 'taken')
}

function nameOf({source, lane, numbering}: Pick<GenerationRow, 'source' | 'lane' | 'numbering'>): string {
  return JSON.stringify([source, lane, numbering])
}

/** The one that the name last stood for, whichever numbering that was in. */
function newestOf(records: GenerationRecords, source: string, lane: string): GenerationRow | undefined {
  for (let numbering = numberingOf(records, source); numbering >= 0; numbering--) {
    const row = records.generations.get(nameOf({source, lane, numbering}))
    if (row !== undefined) return row
  }
  return undefined
}

export function seeGeneration(records: GenerationRecords, {source, lane, sequence, at, by}: GenerationSeen): void {
  const {generations} = records
  if (by === 'stale') {
    const over = newestOf(records, source, lane)
    if (over !== undefined) generations.set(nameOf(over), {...over, stale: over.stale + 1})
    return
  }
  const row = {source, lane, numbering: numberingOf(records, source)}
  const [events, snapshots] = by === 'event' ? [1, 0] : [0, 1]
  const known = generations.get(nameOf(row))
  const first = known?.firstSequence ?? (by === 'event' ? sequence : undefined)
  generations.set(nameOf(row), {
    ...row,
    ...(first === undefined ? {} : {firstSequence: first}),
    lastSequence: Math.max(known?.lastSequence ?? 0, sequence),
    firstAt: Math.min(known?.firstAt ?? at, at),
    lastAt: Math.max(known?.lastAt ?? at, at),
    events: (known?.events ?? 0) + events,
    snapshots: (known?.snapshots ?? 0) + snapshots,
    stale: known?.stale ?? 0,
    ...(known?.retiredAt === undefined ? {} : {retiredAt: known.retiredAt}),
  })
}

export function endGeneration(records: GenerationRecords, change: GenerationEnd): void {
  const {source} = change
  const {generations} = records
  const lane = laneOfGeneration(change.generation)
  const current = {source, lane, numbering: numberingOf(records, source)}
  if (change.kind === 'generationResumed') {
    const known = generations.get(nameOf(current))
    if (known === undefined) return
    const {retiredAt: _ended, ...resumed} = known
    generations.set(nameOf(current), resumed)
    return
  }
  const known = newestOf(records, source, lane)
  if (known?.retiredAt !== undefined) return
  const {at} = change
  const over = {...current, firstAt: at, lastAt: at, events: 0, snapshots: 0, stale: 0, ...known, retiredAt: at}
  generations.set(nameOf(over), over)
}

/** One numbering after another, each with when it was given up. */
export function generationsOf(
  {generations, numberings}: GenerationRecords,
  source: SourceId,
): readonly GenerationRow[] {
  const taken = takenOf(numberings, source)
  return [...generations.values()]
    .filter((row) => row.source === source)
    .sort((a, b) => a.numbering - b.numbering)
    .map((row) => {
      const givenUp = taken[row.numbering]
      return givenUp === undefined ? row : {...row, givenUpAt: givenUp.decidedAt}
    })
}

type GenerationEnd = Extract<Change, {kind: 'generationRetired' | 'generationResumed'}>
