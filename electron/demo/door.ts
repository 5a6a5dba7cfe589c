import {plannedRefusal, type Reply} from './replies.ts'
import type {Action} from './scenario.ts'

/** What a scenario lets nobody in with, and for how long. */
export interface Door {
  readonly refuse: (now: number, action: Extract<Action, {kind: 'refuse'}>) => void
  readonly refuses: (what: 'opens' | 'beats', now: number) => Reply | undefined
  /** Every stream ends as soon as it is attached, from now on. */
  readonly closeAtOnce: () => void
  readonly closesAtOnce: () => boolean
}

export function createDoor(speed: number): Door {
  const refused = new Map<'opens' | 'beats', {readonly reply: Reply; readonly until: number}>()
  let closing = false
  return {
    refuse: (now, {what, status, forMs}) => {
      const refusal = {reply: plannedRefusal(status), until: now + forMs / speed}
      for (const one of what === 'all' ? (['opens', 'beats'] as const) : [what]) refused.set(one, refusal)
    },
    refuses: (what, now) => {
      const refusal = refused.get(what)
      return refusal !== undefined && refusal.until > now ? refusal.reply : undefined
    },
    closeAtOnce: () => {
      closing = true
    },
    closesAtOnce: () => closing,
  }
}
