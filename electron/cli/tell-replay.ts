import {present} from '../../shared/base/present.ts'
import {explainNoCursor, explainNoStream} from '../../shared/words/explain-replay.ts'
import type {NumberedLine} from '../engine/replay/numbered-lines.ts'
import type {PrimeLine} from '../engine/replay/prime-lines.ts'
import type {ReplayLine} from '../engine/replay/replay-lines.ts'
import {type NumberedReplayOptions, replayNumbered} from '../engine/replay/replay-numbered.ts'
import {type PrimeReplayOptions, replayPrime} from '../engine/replay/replay-prime.ts'
import {isStrictFailure} from '../engine/replay/replay-switch.ts'
import {describeNumberedLine} from './describe-numbered-line.ts'
import {describePrimeLine} from './describe-prime-line.ts'
import {describeReplayLine} from './describe-replay-line.ts'

/** What a script must learn of a file that was read to its end. */
export interface Verdict {
  /** Something was malformed or rejected. */
  readonly wasRefused: boolean
  /** It is no stream of this kind: why, in words. */
  readonly nothing?: string
}

export interface ToldReplay<Line> {
  readonly lines: AsyncIterable<Line>
  /** For people. */
  readonly text: (line: Line) => string
  /** Of the last line. */
  readonly verdict: (line: Line) => Verdict | undefined
}

type Bytes = AsyncIterable<Uint8Array>

export function tellSwitch(lines: AsyncIterable<ReplayLine>, file: string): ToldReplay<ReplayLine> {
  return {
    lines,
    text: describeReplayLine,
    verdict(line) {
      if (line.fact !== 'end') return undefined
      const nothing = line.frames === 0 ? explainNoStream(file, 'switch') : undefined
      return {wasRefused: isStrictFailure(line), ...present({nothing})}
    },
  }
}

export function tellPrime(bytes: Bytes, options: PrimeReplayOptions, file: string): ToldReplay<PrimeLine> {
  let known = 0
  const onKnown = (): void => {
    known += 1
  }
  return {
    lines: replayPrime(bytes, {...options, onKnown}),
    text: describePrimeLine,
    verdict(line) {
      if (line.fact !== 'end') return undefined
      const nothing = known === 0 ? explainNoStream(file, 'prime') : undefined
      return {wasRefused: line.malformed > 0, ...present({nothing})}
    },
  }
}

export function tellNumbered(bytes: Bytes, options: NumberedReplayOptions, file: string): ToldReplay<NumberedLine> {
  const {over, cursorAt} = options.shape
  return {
    lines: replayNumbered(bytes, options),
    text: describeNumberedLine,
    verdict(line) {
      if (line.fact !== 'end') return undefined
      const {frames, control, malformed} = line
      const isNone = frames === malformed
      const nothing = isNone
        ? explainNoStream(file, over === 'sse' ? 'sse' : 'lines')
        : frames === control + malformed
          ? explainNoCursor(file, cursorAt)
          : undefined
      return {wasRefused: malformed > 0, ...present({nothing})}
    },
  }
}
