import type {Change} from '../../shared/history/change.ts'
import type {SourceRecord} from '../../shared/source/source.ts'
import type {SourceRun} from './source-run.ts'

/** Resolves with the record as it was before. */
export type ChangeRecord = (
  part: Partial<SourceRecord> | ((before: SourceRecord) => Partial<SourceRecord>),
) => Promise<SourceRecord>

/**
 * Changes parts of what is kept about a source, one after another: each begins with what the one before it left, so that two
 * that are asked for at once both stand.
 */
export function createRecordChange(
  run: SourceRun,
  commit: (changes: readonly Change[]) => Promise<void>,
): ChangeRecord {
  let last: Promise<unknown> = Promise.resolve()
  return (change) => {
    const make = async (): Promise<SourceRecord> => {
      const before = run.record
      const part = typeof change === 'function' ? change(before) : change
      await commit([{kind: 'sourceChanged', source: {...before, ...part}}])
      run.record = {...run.record, ...part}
      return before
    }
    const done = last.then(make, make)
    last = done
    return done
  }
}
