import type {Subject} from '../choose-handlers.ts'
import {checkLoaded} from '../cursor-disk.ts'
import {createHandlerLists} from '../handler-lists.ts'
import {judgeAsked} from '../judge-asked.ts'
import type {NumberedPlan} from '../plan.ts'
import {createRuns} from '../runs.ts'
import {beginRun, newCalled} from '../turns.ts'
import type {Verdict} from '../verdict.ts'
import type {Witness} from '../witness.ts'
import type {MessageLog} from './message-log.ts'
import {judgeStream, type KeptMessage, type NumberedDisk, positionOf, verdictOn} from './numbered-rules.ts'

export interface NumberedWitness extends Witness {
  /** The user decides about a numbering that began anew, by its first frame. */
  readonly userTakes: (frame: number) => void
  readonly userKeeps: (frame: number) => void
  readonly keepWasRefused: (frame: number) => void
}

/**
 * Watches the disk on behalf of one numbered stream: from what came, what the server has, what the handlers did and what the
 * user said it works out itself where the stream must stand. It knows nothing of how the engine does it.
 */
export function createNumberedWitness(
  {name, handlers}: NumberedPlan,
  log: MessageLog,
  now: () => number,
  verdict: Verdict,
): NumberedWitness {
  const broken: NumberedDisk['broken'] = (rule, detail) => verdict.broken(rule, `${name}: ${detail}`)
  const lists = createHandlerLists(handlers, now)
  const events = new Map<number, string>()
  const disk: NumberedDisk = {
    broken,
    turns: {hasCallbacks: false, lists, runs: createRuns(), broken, now, word: false},
    log,
    called: (id, {message, isFirst, numbering}) => calledBy(disk, id, {...message, isFirst, numbering}),
    kept: new Map(),
    unhandled: new Map(),
    maySkip: new Set(),
    word: {takes: new Set(), keeps: new Set()},
    stale: new Map(),
    standing: {held: undefined, left: new Set()},
    before: new Map(),
    last: undefined,
    resumes: new Set(),
    said: undefined,
    owed: undefined,
  }
  return {
    lists,
    lifeOver() {
      log.clear()
      disk.word.takes.clear()
      disk.word.keeps.clear()
    },
    asked: (changes) => judgeAsked(disk, changes, events),
    durable: (changes) => judgeStream(disk, changes),
    abortedOpen() {
      for (const one of disk.kept.values()) one.attemptOpen = false
    },
    began: (begun) => {
      const one = [...disk.unhandled.values()].find(({key}) => key === begun.run.key)
      if (one !== undefined && verdictOn(disk, one).outcome === 'asks')
        broken('a numbering that began anew was decided about without the user', `${one.id} is being handled`)
      return beginRun(disk.turns, one, begun)
    },
    userSkips: (frame) => void disk.maySkip.add(frame),
    userTakes(frame) {
      disk.word.takes.add(frame)
      disk.turns.word = true // that it is to be handled, too
    },
    userKeeps: (frame) => void disk.word.keeps.add(frame),
    keepWasRefused: (frame) => void disk.word.keeps.delete(frame),
    userRetries() {
      disk.turns.word = true
    },
    checkLoaded: (stored) => checkLoaded(disk, stored, {position: positionOf(disk.standing), left: disk.standing.left}),
    position: () => positionOf(disk.standing),
    vectorSeen: () => false,
    unhandled: () => disk.unhandled.size,
  }
}

/** What a number is known by, beside its contents: several numberings of one stream have the same. */
export function keyOf({generation, sequence}: {readonly generation: number; readonly sequence: number}): string {
  return `n:${generation} ${sequence}`
}

type Called = Pick<KeptMessage, 'at' | 'isKnown' | 'isFirst' | 'numbering'> & {readonly event: string}

function calledBy(disk: NumberedDisk, id: number, {at, isKnown, isFirst, numbering, event}: Called): KeptMessage {
  const numbered = {id, at, isKnown, isFirst, numbering}
  const subject = (): Subject | undefined => {
    const {outcome} = verdictOn(disk, numbered)
    const isChosen = outcome === 'handled' || outcome === 'discarded'
    return isChosen ? {names: [event], rooms: [], addressed: undefined, comesTo: outcome} : undefined
  }
  return {...newCalled({id, key: keyOf(at), isCallable: false, subject}, undefined, false), ...numbered}
}
