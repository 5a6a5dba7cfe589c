import {type NewSource, newSource} from '../../../shared/contract/contract.ts'
import {isSameDoor} from '../../../shared/source/same-stream.ts'
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

type SwitchSettings = Extract<NewSource['settings'], {kind: 'switch'}>

/** Filled in with what a source is watched by. Its token is never shown; the side effects were accepted when it was added. */
export function draftOf({name, settings}: {readonly name: string; readonly settings: SwitchSettings}): SwitchDraft {
  const {url, agentId, watchAs, startFrom} = settings
  return {name, url, agentId, token: '', watchAs, startFrom, understood: watchAs === 'agent'}
}

/**
 * What the form amounts to. The token goes nowhere before the side effects were accepted.
 *
 * @param of - what the source is watched by now: its token stays where none is typed, unless another server would get it
 */
export function readDraft(draft: SwitchDraft, of?: SwitchSettings): DraftReading {
  const {watchAs, startFrom, token} = draft
  const agentId = draft.agentId.trim()
  const missing = [
    ...(draft.url.trim() === '' ? ['the bridge URL'] : []),
    ...(agentId === '' ? ['the agent id'] : []),
    ...(token.trim() === '' && needsToken(draft, of)
      ? [of === undefined ? 'the token' : 'the token for this URL']
      : []),
    ...(watchAs === 'agent' && !draft.understood ? ['your word that you understand the side effects'] : []),
  ]
  if (missing.length > 0) return {kind: 'notReady', missing}
  const source = newSource.safeParse({
    name: draft.name.trim() === '' ? agentId : draft.name,
    settings: {kind: 'switch', url: urlOf(draft), agentId, watchAs, startFrom},
    ...(token.trim() === '' ? {} : {token: token.trim()}),
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

function urlOf({url}: SwitchDraft): string {
  return url.trim().replace(/\/+$/, '')
}

function needsToken(draft: SwitchDraft, of: SwitchSettings | undefined): boolean {
  return of === undefined || !isSameDoor(of, {...of, url: urlOf(draft)})
}
