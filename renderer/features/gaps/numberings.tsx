import type {ReactElement} from 'react'
import {pairText} from '../../../shared/cursor/cursor.ts'
import {sayNumbering} from '../../../shared/words/explain-numbering.ts'
import {nameCause} from '../../../shared/words/name-state.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {nearTime} from '../../ui/format.ts'
import {LedgerTable, useLedger} from './ledger-table.tsx'

/** Numberings that began anew below the cursor, and what the user said. Nothing where there are none. */
export function Numberings(): ReactElement | null {
  const {actions} = useAppContext()
  const older = useApp((state) => state.numberingsOlder)
  const minute = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const rows = useLedger(useApp((state) => state.numberings))
  if (rows.length === 0) return null
  return (
    <section className="ledger" aria-labelledby="ledger-numberings">
      <h3 className="ledger-title" id="ledger-numberings">
        Decided: numberings that began anew below the cursor. What a lost store held after it stays unseen.
      </h3>
      <LedgerTable
        caption="Numberings that began anew, newest first"
        rows={rows}
        columns={[
          {title: 'Held', cell: ({held}) => <span className="mono whole">{pairText(held)}</span>},
          {title: 'Offered', cell: ({offered}) => <span className="mono whole">{pairText(offered)}</span>},
          {
            title: 'Decision',
            cell: (row) => (
              <span className="tone-gap" title={sayNumbering(row)}>
                {nameCause(row.decision === 'taken' ? 'numberingTaken' : 'numberingKept').word}
              </span>
            ),
          },
          {title: 'Decided', cell: ({decidedAt}) => <span className="mono whole">{nearTime(decidedAt, minute)}</span>},
        ]}
        older="Older numberings"
        onOlder={older === undefined ? undefined : () => void actions.loadOlderNumberings()}
      />
    </section>
  )
}
