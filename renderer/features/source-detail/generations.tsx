import {type ReactElement, useState} from 'react'
import type {GenerationRow, SourceView} from '../../../shared/contract/rows.ts'
import type {Generation} from '../../../shared/cursor/cursor.ts'
import {generationOfLane} from '../../../shared/cursor/cursor-position.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {nameLane, shortLane} from '../../../shared/words/name-cursor.ts'
import {useApp} from '../../state/use-app.ts'
import {useGenerationsOf} from '../../state/use-generations.ts'
import {Explained} from '../../ui/explained.tsx'
import {count, counted, cursorOfPairs, nearTime} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {Table} from '../../ui/table.tsx'

/** As many as leave the rest of the panel in sight. */
const FEW = 5

/** Each incarnation of the stream's numbering, the newest first: what was seen of it, and from when to when. */
export function Generations({view}: {readonly view: SourceView}): ReactElement {
  const {generations, total, known, problem} = useGenerationsOf(view)
  const [all, setAll] = useState(false)
  const newest = generations.toReversed()
  const held = cursorOfPairs(view.position)?.generation
  return (
    <Section title="Generations">
      {problem === undefined ? null : <Explained explanation={explainRequestError(problem)} />}
      {known ? null : <p className="muted">Asking the engine for them.</p>}
      {known && newest.length === 0 ? <p className="muted">None seen yet.</p> : null}
      {newest.length === 0 ? null : (
        <Table
          caption="Generations, newest first"
          rows={all ? newest : newest.slice(0, FEW)}
          rowKey={({numbering, lane}) => `${numbering}/${lane}`}
          columns={[
            {title: 'Generation', cell: (row) => <Name row={row} held={held} />},
            {title: 'First', right: true, cell: ({firstSequence}) => <Sequence value={firstSequence} />},
            {title: 'Last', right: true, cell: ({lastSequence}) => <Sequence value={lastSequence} />},
            {title: 'Events', right: true, cell: ({events}) => <span className="mono">{count(events)}</span>},
          ]}
        />
      )}
      {newest.length > FEW ? (
        <div className="generations-more">
          <button type="button" className="button" aria-expanded={all} onClick={() => setAll(!all)}>
            {all ? `Show the newest ${FEW} only` : moreText(newest.slice(FEW))}
          </button>
        </div>
      ) : null}
      {all && total > newest.length ? (
        <p className="muted small">and {counted(total - newest.length, 'older one')}</p>
      ) : null}
    </Section>
  )
}

/** What is folded away is told, and where a numbering was given up, that too. */
function moreText(folded: readonly GenerationRow[]): string {
  const givenUp = folded.filter(({givenUpAt}) => givenUpAt !== undefined).length
  const more = `Show ${counted(folded.length, 'older one')}`
  return givenUp === 0 ? more : `${more}, ${count(givenUp)} of a numbering that was given up`
}

interface NameProps {
  readonly row: GenerationRow
  /** The generation of the acknowledged cursor. */
  readonly held: Generation | undefined
}

function Name({row, held}: NameProps): ReactElement {
  const now = useApp((state) => Math.floor(state.now / 60_000) * 60_000)
  const {lane, firstAt, lastAt, snapshots, stale} = row
  return (
    <>
      <span className="mono whole" title={nameLane(lane)}>
        {shortLane(lane)}
      </span>
      <span className="generation-times muted small">
        <span>from {nearTime(firstAt, now)}</span>
        <span>to {nearTime(lastAt, now)}</span>
        <span>{standing(row, held, now)}</span>
        {snapshots === 0 ? null : <span>{counted(snapshots, 'snapshot')}</span>}
        {stale === 0 ? null : <span>{count(stale)} stale</span>}
      </span>
    </>
  )
}

/** Numbered generations are ordered: one that a higher one followed is over without being retired. */
function standing({lane, retiredAt, givenUpAt}: GenerationRow, held: Generation | undefined, now: number): string {
  const generation = generationOfLane(lane)
  if (givenUpAt !== undefined) return `of the numbering that was given up ${nearTime(givenUpAt, now)}`
  if (retiredAt !== undefined) return `retired ${nearTime(retiredAt, now)}`
  if (generation === held) return 'the cursor is in it'
  return typeof generation === 'number' && typeof held === 'number' && generation < held
    ? 'passed by a higher one'
    : 'not retired'
}

function Sequence({value}: {readonly value: number | undefined}): ReactElement {
  return value === undefined ? <span className="muted">not seen</span> : <span className="mono">{value}</span>
}
