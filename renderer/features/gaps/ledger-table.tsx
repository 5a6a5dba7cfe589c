import {type ReactElement, useMemo} from 'react'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {nearTime} from '../../ui/format.ts'
import {type Column, Table} from '../../ui/table.tsx'

/** What a row of the ledger has, whichever it is about. */
interface LedgerRow {
  readonly frame: number
  readonly source: string
  readonly receivedAt: number
}

/** Those of the sources that are shown, newest first. */
export function useLedger<Row extends LedgerRow>(held: ReadonlyMap<number, Row>): readonly Row[] {
  const scope = useApp((state) => state.scope)
  return useMemo(
    () =>
      [...held.values()]
        .filter(({source}) => scope === undefined || source === scope)
        .sort((a, b) => b.frame - a.frame),
    [held, scope],
  )
}

interface LedgerTableProps<Row> {
  readonly caption: string
  readonly rows: readonly Row[]
  /** Behind the time and, where those of several are shown, the source. */
  readonly columns: readonly Column<Row>[]
  /** Of the button that asks for older ones; there is none where all are here. */
  readonly older: string
  readonly onOlder: (() => void) | undefined
}

/** A table of the ledger. A row selects the frame that it is about. */
export function LedgerTable<Row extends LedgerRow>(props: LedgerTableProps<Row>): ReactElement {
  const {caption, rows, columns, older, onOlder} = props
  const {store} = useAppContext()
  const scope = useApp((state) => state.scope)
  const sources = useApp((state) => state.sources)
  const selected = useApp((state) => state.selectedFrame)
  const minute = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const whose: readonly Column<Row>[] =
    scope === undefined ? [{title: 'Source', cell: ({source}) => sources.get(source)?.name ?? 'removed source'}] : []
  return (
    <>
      <Table
        caption={caption}
        rows={rows}
        rowKey={({frame}) => frame}
        isCurrent={({frame}) => frame === selected}
        onSelect={({source, frame, receivedAt}) => store.getState().selectFrame(source, frame, receivedAt)}
        columns={[
          {title: 'Time', cell: ({receivedAt}) => <span className="mono whole">{nearTime(receivedAt, minute)}</span>},
          ...whose,
          ...columns,
        ]}
      />
      {onOlder === undefined ? null : (
        <button type="button" className="button ledger-more" onClick={onOlder}>
          {older}
        </button>
      )}
    </>
  )
}
