import {type ReactElement, useMemo} from 'react'
import type {NumberingRow} from '../../../shared/contract/rows.ts'
import {pairText} from '../../../shared/cursor/cursor.ts'
import {sayNumbering} from '../../../shared/words/explain-numbering.ts'
import {nameCause} from '../../../shared/words/name-state.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {nearTime} from '../../ui/format.ts'
import {Table} from '../../ui/table.tsx'

/** Numberings that began anew below the cursor, and what the user said. Nothing where there are none. */
export function Numberings(): ReactElement | null {
  const {store, actions} = useAppContext()
  const numberings = useApp((state) => state.numberings)
  const scope = useApp((state) => state.scope)
  const older = useApp((state) => state.numberingsOlder)
  const sources = useApp((state) => state.sources)
  const selected = useApp((state) => state.selectedFrame)
  const minute = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const rows = useMemo(
    () =>
      [...numberings.values()]
        .filter(({source}) => scope === undefined || source === scope)
        .sort((a, b) => b.frame - a.frame),
    [numberings, scope],
  )
  if (rows.length === 0) return null
  return (
    <section className="ledger" aria-labelledby="ledger-numberings">
      <h3 className="ledger-title" id="ledger-numberings">
        Decided: numberings that began anew below the cursor. What a lost store held after it stays unseen.
      </h3>
      <Table
        caption="Numberings that began anew, newest first"
        rows={rows}
        rowKey={({frame}) => frame}
        isCurrent={({frame}) => frame === selected}
        onSelect={({source, frame, receivedAt}) => store.getState().selectFrame(source, frame, receivedAt)}
        columns={[
          {title: 'Time', cell: ({receivedAt}) => <span className="mono whole">{nearTime(receivedAt, minute)}</span>},
          ...(scope === undefined
            ? [{title: 'Source', cell: ({source}: NumberingRow) => sources.get(source)?.name ?? 'removed source'}]
            : []),
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
      />
      {older === undefined ? null : (
        <button type="button" className="button ledger-more" onClick={() => void actions.loadOlderNumberings()}>
          Older numberings
        </button>
      )}
    </section>
  )
}
