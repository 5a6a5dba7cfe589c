import {useVirtualizer} from '@tanstack/react-virtual'
import {type ReactElement, useRef} from 'react'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {counted} from '../../ui/format.ts'
import {EventRow} from './event-row.tsx'
import {ROW_PX, useListPlace} from './use-list-place.ts'

const COLUMNS = ['Time', 'Sequence', 'Event', 'Summary', 'Outcome', 'Attempt'] as const

/** A real table with only the rows in view; two empty rows hold the place of the others. */
export function EventTable(): ReactElement {
  const scroller = useRef<HTMLDivElement>(null)
  useApp((state) => state.listVersion) // wakes this component: the log is changed in place
  const rows = useApp((state) => state.list.rows)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  const onScroll = useListPlace(scroller)
  const items = virtual.getVirtualItems()
  const above = items[0]?.start ?? 0
  const below = virtual.getTotalSize() - (items.at(-1)?.end ?? 0)
  return (
    <section
      className="events-scroller"
      ref={scroller}
      onScroll={onScroll}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling place must be reachable by keys
      tabIndex={0}
      aria-label="List of events"
    >
      <table className="events-table" aria-rowcount={rows.length + 1}>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Filler heightPx={above} />
          {items.map(({index}) => {
            const row = rows[rows.length - 1 - index]
            return row === undefined ? null : <EventRow key={index} row={row} rowIndex={index + 2} />
          })}
          <Filler heightPx={below} />
        </tbody>
      </table>
      {rows.length === 0 ? <EmptyList /> : null}
    </section>
  )
}

function Filler({heightPx}: {readonly heightPx: number}): ReactElement | null {
  if (heightPx <= 0) return null
  return (
    <tr className="events-filler">
      <td style={{height: heightPx}} />
    </tr>
  )
}

function EmptyList(): ReactElement {
  const {store} = useAppContext()
  const status = useApp((state) => state.listStatus)
  const query = useApp((state) => state.query)
  const waiting = useApp((state) => state.listWaiting)
  if (status.kind === 'loading') return <p className="muted events-empty">Asking the engine for the newest events.</p>
  if (status.kind === 'failed') return <p className="muted events-empty">The list could not be asked for.</p>
  if (waiting > 0)
    return (
      <p className="muted events-empty">
        The list stands still. {counted(waiting, 'frame')} came since: Follow shows them.
      </p>
    )
  if (query === '')
    return <p className="muted events-empty">Nothing received yet. What arrives stands here, newest first.</p>
  return (
    <p className="muted events-empty">
      Nothing in the history matches “{query}”.{' '}
      <button type="button" className="button" onClick={() => store.getState().setQuery('')}>
        Show everything
      </button>
    </p>
  )
}
