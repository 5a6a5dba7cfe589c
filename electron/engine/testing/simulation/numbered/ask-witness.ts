import type {ResumeAsk} from '../../../../../shared/source/resume-request.ts'
import type {ConductWitness} from '../conduct-witness.ts'
import {inWords} from '../fold.ts'
import type {NumberedPlan} from '../plan.ts'
import type {Verdict} from '../verdict.ts'
import {positionOf} from './numbered-rules.ts'
import type {Place} from './read-message.ts'

/** What a numbered server is asked for in one life of the engine, held to what is acknowledged at that moment. */
export interface AskWitness {
  readonly opens: (ask: ResumeAsk) => Asked
  /** The server sent us away, as far as the engine was told. */
  readonly refused: (code: string | undefined) => void
  /** The first number of a connection. */
  readonly brought: (at: Place) => void
  /** More of the stream is asked for. */
  readonly pulls: () => void
  /** Of a file, whether the cursor is ahead of all that is in it. */
  readonly misjudged: (ask: ResumeAsk) => void
  /** A file was closed that another one took the place of, with so much of it unread. */
  readonly leftUnread: (bytes: number) => void
}

/** A stream that is open, or is to be. */
export interface Asked {
  /** No more than the first number of it may be of interest. */
  readonly isLook: boolean
  readonly over: () => void
}

/** The server said that our cursor is ahead of everything it knows. */
interface Ahead {
  looked: boolean
  /** What it has begins below: the user is asked. */
  isAnew: boolean
  /** The user's clicks by then. */
  readonly touches: number
}

/** Frames that may wait before the reading waits too (design: a numbered stream is read no faster than it is handled). */
const MOST_WAITING = 1_000

const ELSEWHERE = 'a stream was opened elsewhere than at the acknowledged position'
const CAUGHT_UP = 'a cursor ahead of the server was called caught up'

export function createAskWitness(
  {name, future}: NumberedPlan,
  conduct: ConductWitness,
  unhandled: () => number,
  verdict: Verdict,
): AskWitness {
  const broken = (rule: Parameters<Verdict['broken']>[0], detail: string): void =>
    verdict.broken(rule, `${name}: ${detail}`)
  let ahead: Ahead | undefined
  let open: Asked | undefined

  const checkAhead = (ask: ResumeAsk): void => {
    const known = ahead
    ahead = undefined
    if (ask.future === 'wait' && (future === 'fail' || known?.looked !== true))
      broken(CAUGHT_UP, 'it was let in to wait, and nobody looked what it has')
    // A click may have meant that all is asked anew.
    if (known === undefined || known.touches !== conduct.touches()) return
    if (!known.looked) broken(CAUGHT_UP, 'it was sent away, and nobody looked what the server has')
    if (future === 'fail' && !known.isAnew) broken(CAUGHT_UP, 'it was sent away for good, and asks again')
  }

  const begin = (isLook: boolean): Asked => {
    const asked: Asked = {
      isLook,
      over() {
        if (open === asked) open = undefined
      },
    }
    open = asked
    return asked
  }

  return {
    opens(ask) {
      conduct.checkAwake('opened a stream')
      if (open !== undefined) broken('two streams of one source were open at once', JSON.stringify(ask))
      if (unhandled() > 0) broken(ELSEWHERE, `${unhandled()} frames still wait`)
      const held = conduct.position()
      if (ask.from === undefined && held.size > 0) {
        if (ahead?.looked !== false) broken(ELSEWHERE, `everything, for ${inWords(held)}`)
        if (ahead !== undefined) ahead.looked = true
        return begin(true)
      }
      const asked = ask.from && {generation: Number(ask.from.generation), sequence: Number(ask.from.sequence)}
      if (inWords(positionOf({held: asked, left: new Set()})) !== inWords(held))
        broken(ELSEWHERE, `${JSON.stringify(ask.from)} for ${inWords(held)}`)
      if (asked !== undefined) checkAhead(ask)
      return begin(false)
    },
    refused(code) {
      if (code === 'future_cursor') ahead ??= {looked: false, isAnew: false, touches: conduct.touches()}
    },
    brought({generation}) {
      if (ahead?.looked === true) ahead.isAnew = generation < (conduct.position().get('generation') ?? 0)
    },
    pulls() {
      if (unhandled() > MOST_WAITING) broken('a stream was read on while too much of it waits', `${unhandled()} frames`)
    },
    misjudged: ({from}) => broken(CAUGHT_UP, `a file, asked from ${JSON.stringify(from)}`),
    leftUnread: (bytes) => broken('the cursor passed what the server would send again', `${bytes} bytes of a file`),
  }
}
