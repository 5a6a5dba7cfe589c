import type {EpochMs} from '../../../shared/base/units.ts'
import type {Lane} from '../../../shared/cursor/lane.ts'
import type {CursorFrame, FrameContext, FrameProblem} from '../../../shared/frames/frame.ts'
import type {PrimeEntry} from '../../../shared/frames/prime-frame.ts'
import type {Activity} from '../../../shared/history/activity.ts'
import type {FrameId} from '../../../shared/history/frame-id.ts'
import type {SessionKey} from '../../../shared/sessions/session-key.ts'
import type {Supervisor} from '../../../shared/sessions/supervisor.ts'
import type {SourceId} from '../../../shared/source/source.ts'
import type {Ending} from '../../../shared/source/source-machine.ts'
import type {PassiveCommand} from './passive-command.ts'

/** When and as which frame a line was read. */
export interface Reading {
  readonly source: SourceId
  readonly frame: FrameId
  readonly at: EpochMs
  /** Of the monotonic clock, in ms. */
  readonly now: number
}

/** What is to be done about what was heard, or not heard. */
export type Step =
  | {readonly kind: 'send'; readonly command: PassiveCommand}
  /** The daemon let us in: the session is watched. */
  | {readonly kind: 'attached'}
  /** The activation goes on as another session; what comes next is that one's. */
  | {
      readonly kind: 'replaced'
      readonly by: SessionKey
      /** Where it stands behind the event that said so. */
      readonly lane: Lane
      readonly name?: string
    }
  | {readonly kind: 'end'; readonly because: Ending}

/** What one line came to. */
export interface Taken {
  readonly entry: PrimeEntry | {readonly problem: FrameProblem}
  readonly context?: FrameContext
  readonly activities: readonly Activity[]
  readonly steps: readonly Step[]
  /** Who answers now, where that is news. */
  readonly met?: Supervisor
}

/** A control frame made of whatever it would have been: it is about another session. */
export function aside(entry: PrimeEntry): PrimeEntry {
  const frame: CursorFrame = {kind: 'control', event: entry.event, data: {}}
  return {...entry, kind: 'control', frame}
}
