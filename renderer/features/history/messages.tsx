import {type ReactElement, useState} from 'react'
import {HISTORY_TEXT_LENGTH, type HistoryView} from '../../../shared/contract/contract.ts'
import {pairText} from '../../../shared/cursor/cursor.ts'
import {byteSize} from '../../ui/format.ts'
import {Table} from '../../ui/table.tsx'

type Message = Extract<HistoryView, {kind: 'read'}>['messages'][number]

/** What a server sent, in its order; of the one that is chosen its whole text. */
export function Messages({messages}: {readonly messages: readonly Message[]}): ReactElement {
  const [chosen, setChosen] = useState<number | undefined>(undefined)
  const rows = messages.map((message, n) => ({...message, n}))
  return (
    <Table
      caption="What the server sent, in its order"
      rows={rows}
      rowKey={({n}) => n}
      isCurrent={({n}) => n === chosen}
      onSelect={({n}) => setChosen(n)}
      columns={[
        {
          title: 'Cursor',
          cell: ({cursor}) => <span className="mono whole">{cursor === undefined ? '–' : pairText(cursor)}</span>,
        },
        {title: 'Event', cell: ({event}) => <span className="mono">{event === '' ? '–' : event}</span>},
        {
          title: 'Summary',
          cell: (message) => (
            <>
              <Summary message={message} />
              {message.n === chosen ? <Whole message={message} /> : null}
            </>
          ),
        },
        {title: 'Size', right: true, cell: ({size}) => <span className="whole">{byteSize(size)}</span>},
      ]}
    />
  )
}

function Summary({message: {summary, cursor, problem, notGreater}}: {readonly message: Message}): ReactElement {
  if (problem !== undefined) return <span className="tone-malformed">malformed: {summary}</span>
  return (
    <>
      {summary}
      {cursor === undefined ? <span className="muted"> without a cursor</span> : null}
      {notGreater ? <span className="tone-rejected"> not greater than what was asked for</span> : null}
    </>
  )
}

function Whole({message: {text, size}}: {readonly message: Message}): ReactElement {
  return (
    <>
      <pre className="mono history-text">{text}</pre>
      {text.length >= HISTORY_TEXT_LENGTH ? (
        <p className="muted small">The beginning of it. {byteSize(size)} came in all.</p>
      ) : null}
    </>
  )
}
