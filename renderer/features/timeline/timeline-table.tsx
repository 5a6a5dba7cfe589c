import type {ReactElement} from 'react'
import type {FrameRow} from '../../../shared/contract/rows.ts'
import {clockTime, count} from '../../ui/format.ts'
import {Table} from '../../ui/table.tsx'
import {describeMark} from './describe-mark.ts'
import type {Mark} from './mark.ts'
import type {MarkWords} from './mark-words.ts'

export interface TimelineTableProps {
  readonly caption: string
  readonly marks: readonly Mark[]
  readonly frames: ReadonlyMap<number, FrameRow>
  readonly selectedFrame: number | undefined
  readonly onSelect: (frame: number, at: number) => void
}

/** A table longer than this helps nobody; a closer zoom does. */
const MOST_ROWS = 400

interface Row extends MarkWords {
  readonly key: string
}

/** The same marks as the picture, in the order of time, as a real table. */
export function TimelineTable({caption, marks, frames, selectedFrame, onSelect}: TimelineTableProps): ReactElement {
  const rows = rowsOf(marks, frames)
  return (
    <div className="timeline-table">
      <Table<Row>
        caption={caption}
        columns={[
          {title: 'Time', cell: ({at}) => <span className="mono">{clockTime(at)}</span>},
          {title: 'Lane', cell: ({lane}) => <span className="mono">{lane}</span>},
          {title: 'What', cell: ({what}) => what},
          {title: 'Detail', cell: ({detail}) => detail},
        ]}
        rows={rows.slice(0, MOST_ROWS)}
        rowKey={({key}) => key}
        isCurrent={({frame}) => frame !== undefined && frame === selectedFrame}
        onSelect={({frame, at}) => {
          if (frame !== undefined) onSelect(frame, at)
        }}
      />
      {rows.length > MOST_ROWS && (
        <p className="muted small">{count(rows.length - MOST_ROWS)} more marks: zoom in to list them.</p>
      )}
    </div>
  )
}

export function rowsOf(marks: readonly Mark[], frames: ReadonlyMap<number, FrameRow>): readonly Row[] {
  return marks
    .flatMap((mark, i): readonly Row[] => {
      const words = describeMark(mark, frames)
      return words === undefined || mark.kind === 'echo'
        ? []
        : [{...words, key: `${mark.kind}/${words.at}/${words.lane}/${i}`}]
    })
    .sort((a, b) => a.at - b.at)
}
