import {classifySwitchFrame} from '../../shared/frames/classify-switch-frame.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import {frameIdentity} from '../../shared/frames/frame-identity.ts'
import type {JournaledFrame} from '../../shared/history/fact.ts'
import {numberedShapeOf, type SourceSettings, wireOf} from '../../shared/source/source.ts'
import {understandNumbered} from './numbered/understand-numbered.ts'
import {understandPrimeFrame} from './prime/understand-prime-frame.ts'
import {readBlock} from './wire/read-block.ts'

export interface UnderstoodFrame {
  readonly frame: Frame
  /** What makes two deliveries the same frame. */
  readonly identity: string
}

/** A frame understood again from the journal, by the same reader and the same rules. `undefined`: it no longer reads. */
export function understandJournaled(journaled: JournaledFrame, settings: SourceSettings): UnderstoodFrame | undefined {
  const shape = numberedShapeOf(settings)
  if (shape !== undefined) return identified(journaled, understandNumbered(journaled, shape))
  return wireOf(settings) === 'prime'
    ? identified(journaled, understandPrimeFrame(journaled))
    : understoodSwitch(journaled)
}

function understoodSwitch({bytes}: JournaledFrame): UnderstoodFrame | undefined {
  const raw = readBlock(bytes)
  const frame = raw === undefined ? undefined : classifySwitchFrame(raw)
  return raw === undefined || !frame?.ok ? undefined : {frame: frame.value, identity: frameIdentity(raw)}
}

/** Of a stream of cursors, each delivery is a frame of its own. */
function identified({id}: JournaledFrame, frame: Frame | undefined): UnderstoodFrame | undefined {
  return frame === undefined ? undefined : {frame, identity: String(id)}
}
