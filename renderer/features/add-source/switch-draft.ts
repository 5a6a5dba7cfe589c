import {newSource} from '../../../shared/contract/contract.ts'
import type {DraftReading} from './draft-reading.ts'

/** The form as typed. */
export interface SwitchDraft {
  readonly name: string
  readonly url: string
  readonly agentId: string
  readonly token: string
  readonly watchAs: 'own' | 'agent'
  readonly startFrom: 'head' | 'retained'
  /** The side effects of the watched agent's token were read and accepted. */
  readonly understood: boolean
}

export const EMPTY_DRAFT: SwitchDraft = {
  name: '',
  url: '',
  agentId: '',
  token: '',
  watchAs: 'own',
  startFrom: 'retained',
  understood: false,
}

/** What the form amounts to. The token goes nowhere before the side effects were accepted. */
export function readDraft(draft: SwitchDraft): DraftReading {
  const {watchAs, startFrom, token} = draft
  const agentId = draft.agentId.trim()
  const missing = [
    ...(draft.url.trim() === '' ? ['the bridge URL'] : []),
    ...(agentId === '' ? ['the agent id'] : []),
    ...(token.trim() === '' ? ['the token'] : []),
    ...(watchAs === 'agent' && !draft.understood ? ['your word that you understand the side effects'] : []),
  ]
  if (missing.length > 0) return {kind: 'notReady', missing}
  const source = newSource.safeParse({
    name: draft.name.trim() === '' ? agentId : draft.name,
    settings: {kind: 'switch', url: draft.url.trim().replace(/\/+$/, ''), agentId, watchAs, startFrom},
    token: token.trim(),
  })
  if (source.success) return {kind: 'ready', source: source.data}
  const badUrl = source.error.issues.some(({path}) => path.includes('url'))
  return {
    kind: 'notReady',
    missing: [
      badUrl
        ? 'a bridge URL that begins with http:// or https://, without a user name, a query or a fragment'
        : source.error.message,
    ],
  }
}
