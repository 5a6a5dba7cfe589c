import type {ReactElement} from 'react'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {holdsCursor} from '../../state/selectors.ts'
import {counted, cursorOfPairs} from '../../ui/format.ts'
import {Facts, Section} from '../../ui/panel.tsx'
import {Table} from '../../ui/table.tsx'

/** The durable, acknowledged position, exact: a cursor, or coordinate by coordinate. */
export function Positions({view}: {readonly view: SourceView}): ReactElement {
  const {position, coordinates, vectorSeen} = view
  if (holdsCursor(view)) return <CursorHeld view={view} />
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

function CursorHeld({view}: {readonly view: SourceView}): ReactElement {
  const cursor = cursorOfPairs(view.position)
  return (
    <Section title="Acknowledged cursor">
      {cursor === undefined ? (
        <p className="muted">No cursor yet: nothing has moved it.</p>
      ) : (
        <Facts
          facts={[
            {name: 'Generation', value: <span className="mono">{cursor.generation}</span>},
            {name: 'Sequence', value: <span className="mono">{cursor.sequence}</span>},
          ]}
        />
      )}
    </Section>
  )
}
