import type {ReactElement} from 'react'
import type {ConnectionTest} from '../../../shared/contract/contract.ts'
import {explainTrialRefusal} from '../../../shared/words/explain-refusal.ts'
import {Explained} from '../../ui/explained.tsx'

/** What a bridge answered to a test. */
export function SwitchTrial({
  test,
  agentId,
}: {
  readonly test: ConnectionTest
  readonly agentId: string
}): ReactElement | null {
  if (test.kind === 'numbered' || test.kind === 'session') return null
  if (test.kind === 'refused') return <Explained explanation={explainTrialRefusal(test.refusal)} urgent />
  return (
    <div className="switch-reached" role="status">
      <p>
        Reached. The stream answers as agent <b className="mono">{test.agentId ?? 'unknown'}</b>; server version{' '}
        {test.serverVersion ?? 'unknown'}, protocol {test.protocol ?? 'unknown'}.
      </p>
      {test.sameAgent === false ? (
        <p className="tone-pending">
          This token belongs to another agent than “{agentId.trim()}”. The token alone decides whose stream it is: you
          would watch {test.agentId ?? 'the other one'}.
        </p>
      ) : null}
    </div>
  )
}
