import type {ReactElement} from 'react'
import type {GapRow} from '../../shared/contract/rows.ts'
import {nameRepair} from '../../shared/words/explain-gap.ts'

/** What is known of how a gap was made good, in a few words: at most what the user says. */
export function RepairWords({gap: {account}}: {readonly gap: GapRow}): ReactElement {
  const {word, meaning} = nameRepair(account)
  return (
    <span className={account === undefined ? 'tone-pending' : undefined} title={meaning}>
      {word}
    </span>
  )
}
