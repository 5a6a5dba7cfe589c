import type {ReactElement} from 'react'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import {counted} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {Table} from '../../ui/table.tsx'

/** A move of thousands of coordinates is shown in part; the rest is said. */
const SHOWN_STEPS = 200

/** The steps of the cursor's move, coordinate by coordinate. */
export function StepsView({steps}: Pick<FrameDetail, 'steps'>): ReactElement | null {
  if (steps.length === 0) return null
  return (
    <Section title="Steps of the move">
      <Table
        caption="Steps of the move"
        rows={steps.slice(0, SHOWN_STEPS)}
        rowKey={([key]) => key}
        columns={[
          {title: 'Coordinate', cell: ([key]) => <span className="mono breaks">{key}</span>},
          {title: 'Before', right: true, cell: ([, before]) => <span className="mono">{before ?? 'not held'}</span>},
          {title: 'After', right: true, cell: ([, , after]) => <span className="mono">{after ?? 'removed'}</span>},
        ]}
      />
      {steps.length > SHOWN_STEPS ? (
        <p className="muted small">and {counted(steps.length - SHOWN_STEPS, 'step')} more</p>
      ) : null}
    </Section>
  )
}
