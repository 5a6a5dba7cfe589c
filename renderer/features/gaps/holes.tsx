import {type ReactElement, useMemo} from 'react'
import type {HoleRow} from '../../../shared/contract/rows.ts'
import {numbersOfHole, seenOfHole, shortHole} from '../../../shared/words/explain-hole.ts'
import {shortLane} from '../../../shared/words/name-cursor.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {nearTime} from '../../ui/format.ts'
import {Table} from '../../ui/table.tsx'

/** What was seen without being said: numbers that never came, beside what the server said then. Nothing where there are none. */
export function Holes(): ReactElement | null {
  const {store, actions} = useAppContext()
  const holes = useApp((state) => state.holes)
  const scope = useApp((state) => state.scope)
  const older = useApp((state) => state.holesOlder)
  const sources = useApp((state) => state.sources)
  const selected = useApp((state) => state.selectedFrame)
  const minute = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const rows = useMemo(
    () =>
      [...holes.values()]
        .filter(({source}) => scope === undefined || source === scope)
        .sort((a, b) => b.frame - a.frame),
    [holes, scope],
  )
  if (rows.length === 0) return null
  return (
    <section className="ledger" aria-labelledby="ledger-holes">
      <h3 className="ledger-title" id="ledger-holes">
        Seen: numbers that never came. A hole is to be explained, and is not yet a loss.
      </h3>
      <Table
        caption="Holes, newest first"
        rows={rows}
        rowKey={({frame}) => frame}
        isCurrent={({frame}) => frame === selected}
        onSelect={({source, frame, receivedAt}) => store.getState().selectFrame(source, frame, receivedAt)}
        columns={[
          {title: 'Time', cell: ({receivedAt}) => <span className="mono whole">{nearTime(receivedAt, minute)}</span>},
          ...(scope === undefined
            ? [{title: 'Source', cell: ({source}: HoleRow) => sources.get(source)?.name ?? 'removed source'}]
            : []),
          {title: 'Said', cell: (row) => <Said hole={row} />},
          {title: 'Seen', cell: (row) => <span title={seenOfHole(row)}>{shown(row)}</span>},
          {title: 'Hole', cell: (row) => <span className="tone-pending whole">{shortHole(row)}</span>},
          {
            title: 'Shown by',
            cell: ({by, purpose}) => (by === 'event' ? 'an event' : `snapshot (${purpose ?? 'no purpose said'})`),
          },
        ]}
      />
      {older === undefined ? null : (
        <button type="button" className="button ledger-more" onClick={() => void actions.loadOlderHoles()}>
          Older holes
        </button>
      )}
    </section>
  )
}

function Said({hole: {said}}: {readonly hole: HoleRow}): ReactElement {
  return said === undefined ? <span className="muted">nothing</span> : <>“{said}”</>
}

/** Its numbers, with a short name of their generation; the whole one is in the inspector. */
function shown(hole: HoleRow): string {
  const numbers = numbersOfHole(hole)
  return numbers === undefined ? 'whole generations skipped' : `${numbers} in gen ${shortLane(hole.lane)}`
}
