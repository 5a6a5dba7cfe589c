import type {ReactElement} from 'react'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {counted} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {Table} from '../../ui/table.tsx'

/** The durable, acknowledged position, coordinate by coordinate, exact. */
export function Positions({view}: {readonly view: SourceView}): ReactElement {
  const {position, coordinates, vectorSeen} = view
  return (
    <Section title="Acknowledged position">
      {position.length === 0 ? (
        <p className="muted">No position yet: nothing has moved it.</p>
      ) : (
        <Table
          caption="Acknowledged position"
          rows={position}
          rowKey={([key]) => key}
          columns={[
            {title: 'Coordinate', cell: ([key]) => <span className="mono breaks">{key}</span>},
            {title: 'Sequence', right: true, cell: ([, value]) => <span className="mono">{value}</span>},
          ]}
        />
      )}
      {coordinates > position.length ? (
        <p className="muted small">and {counted(coordinates - position.length, 'coordinate')} more</p>
      ) : null}
      <p className="muted small source-vector">
        {vectorSeen
          ? 'The server sends vectors: a bare number moves nothing any more.'
          : 'No vector seen yet: a bare number counts as s.'}
      </p>
    </Section>
  )
}
