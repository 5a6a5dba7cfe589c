import type {ReactElement} from 'react'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import type {HoleRow} from '../../../shared/contract/rows.ts'
import {nameDecision} from '../../../shared/words/explain-cursor.ts'
import {explainHole, rangeOfHole, seenOfHole, titleOfHole} from '../../../shared/words/explain-hole.ts'
import type {StateWords} from '../../../shared/words/name-state.ts'
import {Facts, Section} from '../../ui/panel.tsx'

/** What the number of a frame meant, where it has one of a cursor {generation, sequence}. */
export function decisionOf({frame, steps, hole}: FrameDetail): StateWords | undefined {
  return nameDecision(frame, steps, hole)
}

/** The decision on the cursor of an event, in words. A snapshot's stands in its heading. */
export function DecisionView({detail}: {readonly detail: FrameDetail}): ReactElement | null {
  const decision = decisionOf(detail)
  if (decision === undefined || detail.frame.kind === 'snapshot') return null
  return (
    <Section title="Decision on its cursor">
      <p>
        <b>{decision.word}</b>
        <span className="muted">. {decision.meaning}</span>
      </p>
    </Section>
  )
}

/** Numbers never seen: what the server said beside what was seen. */
export function HoleView({hole}: {readonly hole: HoleRow}): ReactElement {
  const range = rangeOfHole(hole)
  return (
    <Section title={<span className="tone-pending">{titleOfHole(hole)}</span>}>
      <Facts
        facts={[
          {name: 'Said', value: saidOf(hole)},
          {name: 'Seen', value: seenOfHole(hole)},
          ...(range === undefined ? [] : [{name: 'Not seen', value: range}]),
          ...(hole.purpose === undefined ? [] : [{name: 'Purpose', value: hole.purpose}]),
        ]}
      />
      <p className="inspector-note">{explainHole(hole)}</p>
    </Section>
  )
}

function saidOf({by, said}: HoleRow): string {
  if (said !== undefined) return `replay “${said}”: its own word; what we held is not counted in it`
  return by === 'event' ? 'nothing: an event tells only its own number' : 'nothing of a replay'
}
