import {memo, type ReactElement} from 'react'
import {listedOutcomeOf} from '../../../shared/contract/listed-outcome.ts'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {sayNumbering} from '../../../shared/words/explain-numbering.ts'
import {nameListed} from '../../../shared/words/name-listed.ts'
import {nameCause} from '../../../shared/words/name-state.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {clockTime, dateTime, duration, laneSequence, wholeLaneSequence} from '../../ui/format.ts'
import {lookOfFrame, Mark} from '../../ui/mark.tsx'

export interface EventRowProps {
  readonly row: FrameRow
  readonly rowIndex: number
}

export const EventRow = memo(function EventRow({row, rowIndex}: EventRowProps): ReactElement {
  const {store} = useAppContext()
  const selected = useApp((state) => state.selectedFrame === row.id)
  const {freezeList, selectFrame} = store.getState()
  const choose = () => {
    freezeList()
    selectFrame(row.source, row.id, row.receivedAt)
  }
  return (
    // The keyboard moves the selection with j and k; the button in the first cell is for screen readers. From the first
    // touch on the list stands still: rows are drawn in place, so another one would be here by the time of the click.
    <tr
      aria-rowindex={rowIndex}
      aria-current={selected ? 'true' : undefined}
      className={row.kind === 'gap' ? 'event-row event-row-gap' : 'event-row'}
      onPointerDown={freezeList}
      onFocus={freezeList}
      onClick={choose}
    >
      <td className="mono">
        <button type="button" className="event-time" tabIndex={-1} title={dateTime(row.receivedAt)}>
          {clockTime(row.receivedAt)}
        </button>
      </td>
      <td className="mono" title={wholeLaneSequence(row.lane, row.sequence)}>
        {row.kind === 'gap' ? 'gap' : laneSequence(row.lane, row.sequence)}
      </td>
      <td className="mono muted">{row.event === '' ? '–' : row.event}</td>
      <td title={row.summary}>
        <span className="event-inline mono muted">{row.event}</span>
        <SourceName source={row.source} />
        {row.summary}
        <Numbering row={row} />
      </td>
      <td>
        <Outcome row={row} />
      </td>
      <td className="mono muted event-attempt">{row.attempt === 0 ? '–' : row.attempt}</td>
    </tr>
  )
})

/** Whose row it is, where the list shows those of several sources. */
function SourceName({source}: {readonly source: string}): ReactElement | null {
  const name = useApp(({scope, sources}) =>
    scope === undefined && sources.size > 1 ? (sources.get(source)?.name ?? 'removed source') : undefined,
  )
  return name === undefined ? null : <span className="event-source">{name}</span>
}

/** What the user said, where a numbering began anew with it: its outcome alone would not tell. */
function Numbering({row: {numbering, cause}}: {readonly row: FrameRow}): ReactElement | null {
  if (numbering === undefined || cause === undefined) return null
  const words = nameCause(cause).word.split(' ')
  return (
    <span className="event-numbering tone-gap" title={sayNumbering(numbering)}>
      <span className="event-numbering-which">{words.slice(0, -1).join(' ')} </span>
      {words.at(-1)}
    </span>
  )
}

function Outcome({row}: {readonly row: FrameRow}): ReactElement {
  const look = lookOfFrame(row)
  const {word, meaning} = nameListed(listedOutcomeOf(row))
  return (
    <span className={`event-outcome tone-${look.tone}`} title={meaning}>
      <Mark {...look} />
      {word}
      {row.outcome === 'pending' ? <Age since={row.receivedAt} /> : null}
    </span>
  )
}

function Age({since}: {readonly since: number}): ReactElement {
  const now = useApp((state) => state.now)
  return <span>{duration(now - since)}</span>
}
