import type {ReactElement} from 'react'
import type {HoleRow} from '../../../shared/contract/rows.ts'
import {numbersOfHole, seenOfHole, shortHole} from '../../../shared/words/explain-hole.ts'
import {shortLane} from '../../../shared/words/name-cursor.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {LedgerTable, useLedger} from './ledger-table.tsx'

/** What was seen without being said: numbers that never came, beside what the server said then. Nothing where there are none. */
export function Holes(): ReactElement | null {
  const {actions} = useAppContext()
  const older = useApp((state) => state.holesOlder)
  const rows = useLedger(useApp((state) => state.holes))
  if (rows.length === 0) return null
  return (
    <section className="ledger" aria-labelledby="ledger-holes">
      <h3 className="ledger-title" id="ledger-holes">
        Seen: numbers that never came. A hole is to be explained, and is not yet a loss.
      </h3>
      <LedgerTable
        caption="Holes, newest first"
        rows={rows}
        columns={[
          {title: 'Said', cell: (row) => <Said hole={row} />},
          {title: 'Seen', cell: (row) => <span title={seenOfHole(row)}>{shown(row)}</span>},
          {title: 'Hole', cell: (row) => <span className="tone-pending whole">{shortHole(row)}</span>},
          {
            title: 'Shown by',
            cell: ({by, purpose}) => (by === 'event' ? 'an event' : `snapshot (${purpose ?? 'no purpose said'})`),
          },
        ]}
        older="Older holes"
        onOlder={older === undefined ? undefined : () => void actions.loadOlderHoles()}
      />
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
