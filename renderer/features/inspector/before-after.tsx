import type {ReactElement} from 'react'
import type {GapRow} from '../../../shared/contract/rows.ts'
import {gapRows, type GapRow as Line} from '../../../shared/position/gap-plan.ts'
import {type CoordinateKey, OWN, type Position, type Sequence} from '../../../shared/position/position.ts'
import {counted} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {Table} from '../../ui/table.tsx'
import {coordinatesNotShown} from './seen-text.ts'

const SHOWN_LINES = 100

/** The gap's table: what was held, what the gap makes of it, and what an ordinary merge would hide. */
export function BeforeAfter({gap}: {readonly gap: GapRow}): ReactElement | null {
  const lines = gapRows(toPosition(gap.before), toPosition(gap.after))
  const applied = gap.appliedAt !== undefined || gap.outcome === 'unmoved'
  if (lines.length === 0) return null
  const hidden = coordinatesNotShown(gap, Math.min(lines.length, SHOWN_LINES))
  return (
    <Section title={applied ? 'Position' : 'Position, not applied'}>
      <Table
        caption="Position before and after the gap"
        rows={[...lines].sort(lossesFirst).slice(0, SHOWN_LINES)}
        rowKey={({key}) => key}
        columns={[
          {title: 'Coordinate', cell: ({key}) => <span className="mono breaks">{key}</span>},
          {title: 'Before', right: true, cell: ({before}) => <span className="mono">{before ?? 'not held'}</span>},
          {title: applied ? 'After' : 'Would be', right: true, cell: (line) => <After line={line} />},
          {
            title: 'Merge would keep',
            right: true,
            cell: ({mergeWouldKeep}) => <span className="mono muted">{mergeWouldKeep}</span>,
          },
        ]}
      />
      {hidden > 0 ? <p className="muted small">and {counted(hidden, 'coordinate')} more</p> : null}
    </Section>
  )
}

function After({line: {before, after}}: {readonly line: Line}): ReactElement {
  if (after === undefined)
    return (
      <span className="mono tone-gap whole">
        <span aria-hidden="true">✕ </span>removed
      </span>
    )
  if (before !== undefined && after < before)
    return (
      <span className="mono tone-gap whole">
        {after} <span aria-hidden="true">↓</span>
        <span className="visually-hidden">back by </span>
        {before - after}
      </span>
    )
  return <span className="mono">{after}</span>
}

/** Only where there are too many to show all does the order matter; `s` stays first. */
function lossesFirst(a: Line, b: Line): number {
  return weight(b) - weight(a)
}

function weight({key, before, after}: Line): number {
  if (key === OWN) return 2
  return after === undefined || (before !== undefined && after < before) ? 1 : 0
}

/** The contract has parsed the pairs; the brands say so. */
function toPosition(pairs: GapRow['before']): Position {
  return new Map(pairs.map(([key, value]) => [key as CoordinateKey, value as Sequence]))
}
