import type {ReactElement} from 'react'
import type {GenerationRow, SourceView} from '../../../shared/contract/rows.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {nameLane, shortLane} from '../../../shared/words/name-cursor.ts'
import {useApp} from '../../state/use-app.ts'
import {useGenerationsOf} from '../../state/use-generations.ts'
import {Explained} from '../../ui/explained.tsx'
import {count, counted, nearTime} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {Table} from '../../ui/table.tsx'

const SHOWN = 50

/** Each incarnation of the stream's numbering, the newest first: what was seen of it, and from when to when. */
export function Generations({view}: {readonly view: SourceView}): ReactElement {
  const {generations, known, problem} = useGenerationsOf(view)
  const rows = generations.toReversed()
  return (
    <Section title="Generations">
      {problem === undefined ? null : <Explained explanation={explainRequestError(problem)} />}
      {known ? null : <p className="muted">Asking the engine for them.</p>}
      {known && rows.length === 0 ? <p className="muted">None seen yet.</p> : null}
      {rows.length === 0 ? null : (
        <Table
          caption="Generations, newest first"
          rows={rows.slice(0, SHOWN)}
          rowKey={({lane}) => lane}
          columns={[
            {title: 'Generation', cell: (row) => <Name row={row} />},
            {title: 'First', right: true, cell: ({firstSequence}) => <Sequence value={firstSequence} />},
            {title: 'Last', right: true, cell: ({lastSequence}) => <Sequence value={lastSequence} />},
            {title: 'Events', right: true, cell: ({events}) => <span className="mono">{count(events)}</span>},
            {title: 'Snapshots', right: true, cell: ({snapshots}) => <span className="mono">{count(snapshots)}</span>},
          ]}
        />
      )}
      {rows.length > SHOWN ? <p className="muted small">and {counted(rows.length - SHOWN, 'older one')}</p> : null}
    </Section>
  )
}

function Name({row}: {readonly row: GenerationRow}): ReactElement {
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const {lane, firstAt, lastAt, retiredAt} = row
  return (
    <>
      <span className="mono whole" title={nameLane(lane)}>
        {shortLane(lane)}
      </span>
      <span className="generation-times muted small">
        <span>from {nearTime(firstAt, now)}</span>
        <span>to {nearTime(lastAt, now)}</span>
        <span>{retiredAt === undefined ? 'not retired' : `retired ${nearTime(retiredAt, now)}`}</span>
      </span>
    </>
  )
}

function Sequence({value}: {readonly value: number | undefined}): ReactElement {
  return value === undefined ? <span className="muted">not seen</span> : <span className="mono">{value}</span>
}
