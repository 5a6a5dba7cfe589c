import {Fragment, type ReactElement} from 'react'
import type {GapRow} from '../../../shared/contract/rows.ts'
import {OWN} from '../../../shared/position/position.ts'
import {roomsOfGap} from '../../../shared/words/explain-gap.ts'
import {nameGapOutcome} from '../../../shared/words/name-state.ts'
import {scopedSources} from '../../state/selectors.ts'
import {useApp, useAppContext} from '../../state/use-app.ts'
import {stepText} from '../../ui/format.ts'
import {lookOfGap, Mark} from '../../ui/mark.tsx'
import {RepairWords} from '../../ui/repair-words.tsx'
import './gaps.css'
import {Holes} from './holes.tsx'
import {LedgerTable, useLedger} from './ledger-table.tsx'
import {Numberings} from './numberings.tsx'

/** The ledger: what was said to be lost, below it what was seen to be missing, and what the user said of a lost numbering. */
export function Gaps(): ReactElement {
  return (
    <>
      <DeclaredGaps />
      <Holes />
      <Numberings />
    </>
  )
}

/** Each loss a server declared, what it said, and what it did to the position. */
function DeclaredGaps(): ReactElement {
  const {actions} = useAppContext()
  const known = useApp((state) => state.gapsKnown)
  const older = useApp((state) => state.gapsOlder)
  const holes = useApp((state) => scopedSources(state).some(({counts}) => counts.holes > 0))
  const rows = useLedger(useApp((state) => state.gaps))
  if (!known) return <p className="muted ledger-note">Asking the engine for its ledger.</p>
  if (rows.length === 0)
    return (
      <p className="muted ledger-note">
        No server has declared a loss here. What was lost without a word is not in this table
        {holes ? '; numbers that never came are below' : ''}.
      </p>
    )
  return (
    <div className="ledger">
      {holes ? <h3 className="ledger-title">Said: losses that a server declared.</h3> : null}
      <LedgerTable
        caption="Gaps declared by the server, newest first"
        rows={rows}
        columns={[
          {title: 'Said', cell: (row) => <span className="mono whole">{saidShort(row)}</span>},
          {title: 'Rooms', cell: (row) => <Unbroken text={roomsOfGap(row)} />},
          {title: 'Went back or removed', cell: (row) => <Losses gap={row} />},
          {title: 'Outcome', cell: (row) => <Outcome gap={row} />},
          {
            title: 'Repaired',
            cell: (row) => <RepairWords gap={row} />,
          },
        ]}
        older="Older gaps"
        onOlder={older === undefined ? undefined : () => void actions.loadOlderGaps()}
      />
    </div>
  )
}

function saidShort({said}: GapRow): string {
  return `${said.from ?? 'not said'} → ${said.resumedAt ?? 'not said'}`
}

const NAMED = 3

/** A name this long may break anywhere; a shorter one not at its hyphens. */
const LONG_NAME = 24

function Unbroken({text}: {readonly text: string}): ReactElement {
  return <span className={text.length > LONG_NAME ? undefined : 'whole'}>{text}</span>
}

/** The coordinates that went back or were removed, first those of the agent's own. Of a very large position not every value is here. */
function Losses({gap}: {readonly gap: GapRow}): ReactElement {
  const before = new Map(gap.before)
  const after = new Map(gap.after)
  const lost = [...gap.wentBack, ...gap.removed].sort((a, b) => Number(b === OWN) - Number(a === OWN))
  if (lost.length === 0) return <span className="muted">nothing</span>
  const named = lost.slice(0, NAMED)
  return (
    <span className="mono tone-gap breaks">
      {named.map((key, i) => (
        // A line breaks between the pieces, and not inside one: a hyphen is part of a name.
        <Fragment key={key}>
          <Unbroken text={key} />{' '}
          {before.has(key) ? (
            <span className="whole">{stepText(before.get(key) ?? null, after.get(key) ?? null)}</span>
          ) : null}
          {i < named.length - 1 ? ', ' : ''}
        </Fragment>
      ))}
      {lost.length > NAMED ? ` and ${lost.length - NAMED} more` : ''}
    </span>
  )
}

function Outcome({gap}: {readonly gap: GapRow}): ReactElement {
  const look = lookOfGap(gap.outcome)
  const {word, meaning} = nameGapOutcome(gap.outcome)
  return (
    <span className={`ledger-outcome tone-${look.tone}`} title={meaning}>
      <Mark {...look} /> {word}
    </span>
  )
}
