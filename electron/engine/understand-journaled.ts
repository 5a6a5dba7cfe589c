import {classifySwitchFrame} from '../../shared/frames/classify-switch-frame.ts'
import type {Frame} from '../../shared/frames/frame.ts'
import {frameIdentity} from '../../shared/frames/frame-identity.ts'
import type {JournaledFrame} from '../../shared/history/fact.ts'
import {type SourceSettings, wireOf} from '../../shared/source/source.ts'
import {understandPrimeFrame} from './prime/understand-prime-frame.ts'
import {readBlock} from './wire/read-block.ts'

export interface UnderstoodFrame {
  readonly frame: Frame
  /** What makes two deliveries the same frame. */
  readonly identity: string
}

/** A frame understood again from the journal, by the same reader and the same rules. `undefined`: it no longer reads. */
export function understandJournaled(journaled: JournaledFrame, settings: SourceSettings): UnderstoodFrame | undefined {
  return wireOf(settings) === 'prime' ? understoodPrime(journaled) : understoodSwitch(journaled)
}

function understoodSwitch({bytes}: JournaledFrame): UnderstoodFrame | undefined {
  const raw = readBlock(bytes)
  const frame = raw === undefined ? undefined : classifySwitchFrame(raw)
  return raw === undefined || !frame?.ok ? undefined : {frame: frame.value, identity: frameIdentity(raw)}
}

function understoodPrime(journaled: JournaledFrame): UnderstoodFrame | undefined {
  const frame = understandPrimeFrame(journaled)
  return frame === undefined ? undefined : {frame, identity: String(journaled.id)}
}
