import type {ReactElement} from 'react'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import type {AttemptRow, GapRow} from '../../../shared/contract/rows.ts'
import {explainGap, roomsOfGap, titleOfGap} from '../../../shared/words/explain-gap.ts'
import {explainProblem} from '../../../shared/words/explain-problem.ts'
import {nameAttempt} from '../../../shared/words/name-state.ts'
import {useApp, useAppContext, useGapsOf} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {counted, duration, nearTime} from '../../ui/format.ts'
import {lookOfGap, Mark} from '../../ui/mark.tsx'
import {Facts, Section} from '../../ui/panel.tsx'
import {RepairWords} from '../../ui/repair-words.tsx'
import {AccountView} from './account-view.tsx'
import {AttemptsView} from './attempts-view.tsx'
import {BeforeAfter} from './before-after.tsx'
import {HeldActions} from './held-actions.tsx'
import {bytesShown, RawBytes} from './raw-bytes.tsx'
import {seenText} from './seen-text.ts'

export interface GapViewProps {
  readonly detail: FrameDetail
  readonly gap: GapRow
}

export function GapView({detail, gap: told}: GapViewProps): ReactElement {
  // What the user said since comes to the ledger that this screen holds.
  const account = useApp((state) => state.gaps.get(told.frame)?.account) ?? told.account
  const gap = account === undefined ? told : {...told, account}
  const sourceName = useApp((state) => state.sources.get(gap.source)?.name ?? 'removed source')
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const look = lookOfGap(gap.outcome)
  const {reason} = gap.said
  return (
    <>
      <h2 className={`inspector-title tone-${look.tone}`}>
        <Mark {...look} />
        <span>{titleOfGap(gap)}</span>
      </h2>
      <p className="muted small">
        {sourceName} · {nearTime(gap.receivedAt, now)}
        {reason === undefined || reason === '' ? ' · no reason given' : ` · “${reason}”`}
      </p>
      <div className="inspector-facts">
        <Facts
          facts={[
            {name: 'Said', value: <span className="mono">{saidText(gap)}</span>},
            {name: 'Rooms said', value: roomsOfGap(gap)},
            {name: 'Seen', value: <span className="mono">{seenText(gap)}</span>},
            {name: 'Callback', value: <CallbackWords attempts={detail.attempts} outcome={gap.outcome} />},
            {name: 'Repaired', value: <RepairWords gap={gap} />},
          ]}
        />
      </div>
      {detail.problem === undefined ? null : (
        <Explained explanation={explainProblem(detail.problem, bytesShown(detail))} tone="waiting" />
      )}
      <HeldActions frame={detail.frame} />
      <BeforeAfter gap={gap} />
      <p className="inspector-note">{explainGap(gap)}</p>
      <AccountView key={`account ${gap.frame}`} gap={gap} />
      {detail.attempts.length > 1 ? <AttemptsView detail={detail} /> : null}
      <RawBytes key={detail.frame.id} detail={detail} />
      <EarlierGaps gap={gap} />
    </>
  )
}

function saidText({said}: GapRow): string {
  const from = said.from === undefined ? 'from: not said' : `from ${said.from}`
  const resumed = said.resumedAt === undefined ? 'resumed at: not said' : `resumed at ${said.resumedAt}`
  return `${from}, ${resumed}`
}

interface CallbackWordsProps {
  readonly attempts: readonly AttemptRow[]
  readonly outcome: GapRow['outcome']
}

function CallbackWords({attempts, outcome}: CallbackWordsProps): ReactElement {
  const last = attempts.at(-1)
  const now = useApp((state) => (last?.state === 'pending' ? state.now : 0))
  if (last === undefined)
    return (
      <>
        {outcome === 'malformed' ? 'not run: the frame was refused before it' : 'none here: what is durable is handled'}
      </>
    )
  const length =
    last.endedAt === undefined
      ? last.state === 'pending'
        ? ` for ${duration(now - last.startedAt)}`
        : ''
      : ` after ${duration(last.endedAt - last.startedAt)}`
  return (
    <>
      {nameAttempt(last.state).word}
      {length}, {counted(attempts.length, 'attempt')}
      {last.error === undefined ? null : <span className="mono attempt-error">{last.error}</span>}
    </>
  )
}

const EARLIER = 8

function EarlierGaps({gap}: {readonly gap: GapRow}): ReactElement | null {
  const {store} = useAppContext()
  const gaps = useGapsOf(gap.source)
  const earlier = gaps
    .filter(({frame}) => frame < gap.frame)
    .slice(-EARLIER)
    .reverse()
  if (earlier.length === 0) return null
  return (
    <Section title="Earlier gaps of this source">
      <ul className="earlier">
        {earlier.map((row) => (
          <li key={row.frame}>
            <button type="button" onClick={() => store.getState().selectFrame(row.source, row.frame, row.receivedAt)}>
              <span className="mono muted">{nearTime(row.receivedAt, gap.receivedAt)}</span>
              <span>
                {row.said.reason ?? 'no reason given'}
                {row.said.from !== undefined && row.said.resumedAt !== undefined ? (
                  <span className="mono">
                    , {row.said.from} → {row.said.resumedAt}
                  </span>
                ) : null}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Section>
  )
}
