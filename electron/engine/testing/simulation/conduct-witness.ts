import type {SourceView} from '../../../../shared/contract/rows.ts'
import type {BeatRequest, OpenRequest} from '../../switch/transport.ts'
import {areEqual, inWords} from './fold.ts'
import type {Vector} from './reading.ts'
import type {Run} from './runs.ts'
import type {Verdict} from './verdict.ts'

/** What a source does in one life of the engine, held to what is acknowledged at that moment. */
export interface ConductWitness {
  /** The engine was told that this is durable. */
  readonly acknowledged: (position: Vector) => void
  readonly opens: (request: OpenRequest) => void
  /** The open was answered by a refusal, or its stream is over. */
  readonly over: () => void
  /** The server said hello, and where it begins: its own number at an open from now on. */
  readonly introduced: (cursor: number) => void
  readonly beats: (request: BeatRequest) => void
  readonly began: (run: Run, signal: AbortSignal) => void
  readonly sees: (view: SourceView) => void
  /** The user did something with it: what it was may be over. */
  readonly touched: () => void
  /** How often it was. */
  readonly touches: () => number
  /** What is acknowledged. */
  readonly position: () => Vector
  /** A source that is held or stopped does nothing. */
  readonly checkAwake: (what: string) => void
}

export interface Beginning {
  readonly name: string
  readonly position: Vector
  readonly vectorSeen: boolean
  readonly startsAtHead: boolean
}

interface Known {
  acknowledged: Vector
  vectorSeen: boolean
  loaded: boolean
  /** Where the first stream began. */
  began: number | undefined
  line: 'none' | 'opening' | 'introduced'
  state: SourceView['connection']['state'] | 'unknown'
  running: {readonly run: Run; readonly signal: AbortSignal} | undefined
  touches: number
}

export function createConductWitness(beginning: Beginning, verdict: Verdict): ConductWitness {
  const {name, startsAtHead} = beginning
  const known: Known = {
    acknowledged: beginning.position,
    vectorSeen: beginning.vectorSeen,
    loaded: false,
    began: undefined,
    line: 'none',
    state: 'unknown',
    running: undefined,
    touches: 0,
  }
  const broken = (rule: Parameters<Verdict['broken']>[0], detail: string): void =>
    verdict.broken(rule, `${name}: ${detail}`)
  const checkAwake = (what: string): void => {
    if (known.state === 'held' || known.state === 'stopped')
      broken('a source that is held, stopped or paused did something', `${what} while ${known.state}`)
  }

  return {
    acknowledged(position) {
      known.acknowledged = position
    },
    opens({from}) {
      checkAwake('opened a stream')
      if (known.line !== 'none') broken('two streams of one source were open at once', `from ${from}`)
      known.line = 'opening'
      const own = known.acknowledged.get('s')
      const isFresh = known.acknowledged.size === 0 && !known.vectorSeen
      const expected = own ?? (isFresh && startsAtHead ? (known.began ?? 'head') : 0)
      if (from !== expected)
        broken('a stream was opened elsewhere than at the acknowledged position', `${from} for ${expected}`)
    },
    over() {
      known.line = 'none'
    },
    introduced(cursor) {
      known.began ??= cursor
      if (known.line === 'opening') known.line = 'introduced'
    },
    beats({cursor}) {
      checkAwake('sent a beat')
      const own = known.acknowledged.get('s') ?? 0
      if (cursor > own) broken('a beat reported more than is acknowledged', `${cursor} for ${own}`)
      if (known.line !== 'introduced')
        broken('a beat was sent before the server introduced the connection', `the stream is ${known.line}`)
    },
    began(run, signal) {
      // What was read before a source stopped is still handled; what holds one is not passed by anything.
      if (known.state === 'held') checkAwake('ran a callback')
      const before = known.running
      // One whose time is over is waited for; one that is given up for good is not.
      const isGivenUp = before?.signal.aborted === true && before.signal.reason !== 'deadline'
      if (before?.run.state === 'running' && !isGivenUp)
        broken('two callbacks of one source ran at once', `${before.run.key} and ${run.key}`)
      known.running = {run, signal}
    },
    sees(view) {
      known.state = view.connection.state
      const visible = new Map(view.position)
      if (!areEqual(visible, known.acknowledged))
        broken('what is visible is not what is acknowledged', `${inWords(visible)} for ${inWords(known.acknowledged)}`)
      const forgot = known.vectorSeen && !view.vectorSeen
      const invented = !known.loaded && view.vectorSeen && !known.vectorSeen
      if (forgot || invented) broken('that a vector was seen was forgotten', `visible: ${view.vectorSeen}`)
      known.vectorSeen = view.vectorSeen
      known.loaded = true
    },
    touched() {
      known.state = 'unknown'
      known.touches += 1
    },
    touches: () => known.touches,
    position: () => known.acknowledged,
    checkAwake,
  }
}
