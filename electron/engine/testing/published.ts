import type {ChangeBatch} from '../../../shared/contract/contract.ts'
import type {AttemptRow, ConnectionRow, FrameRow, GapRow, SourceView} from '../../../shared/contract/rows.ts'
import type {Engine} from '../engine.ts'

/** What a screen knows that heard every batch. */
export interface Published {
  readonly batches: readonly ChangeBatch[]
  readonly frames: ReadonlyMap<number, FrameRow>
  readonly attempts: ReadonlyMap<string, AttemptRow>
  readonly gaps: ReadonlyMap<number, GapRow>
  readonly connections: readonly ConnectionRow[]
  readonly sources: ReadonlyMap<string, SourceView>
}

export function createPublished(engine: Engine): Published {
  const batches: ChangeBatch[] = []
  const frames = new Map<number, FrameRow>()
  const attempts = new Map<string, AttemptRow>()
  const gaps = new Map<number, GapRow>()
  const connections: ConnectionRow[] = []
  const sources = new Map<string, SourceView>()
  engine.subscribe((batch) => {
    batches.push(batch)
    for (const row of batch.frames) frames.set(row.id, row)
    for (const row of batch.attempts) attempts.set(`${row.frame} ${row.n}`, row)
    for (const row of batch.gaps) gaps.set(row.frame, row)
    for (const view of batch.sources) sources.set(view.id, view)
    connections.push(...batch.connections)
  })
  return {batches, frames, attempts, gaps, connections, sources}
}
