import {afterBeatRefused, afterOpenRefused} from '../../../shared/source/refusal.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'

/** Going on would only repeat the refusal, or take the connection from somebody. */
export function isTerminal(because: Ending): boolean {
  switch (because.kind) {
    case 'refused':
      return afterOpenRefused(because.refusal) === 'stop'
    case 'beatRefused':
      return afterBeatRefused(because.refusal) === 'stop'
    case 'evicted':
      return because.terminal
    default:
      return false
  }
}
