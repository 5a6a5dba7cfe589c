import type {Subject} from '../choose-handlers.ts'
import {checkLoaded} from '../cursor-disk.ts'
import {createHandlerLists, type HandlerList} from '../handler-lists.ts'
import {judgeAsked} from '../judge-asked.ts'
import {createRuns} from '../runs.ts'
import {beginRun, newCalled} from '../turns.ts'
import type {Verdict} from '../verdict.ts'
import type {Witness} from '../witness.ts'
import {judgeLine} from './lane.ts'
import {createMeetings} from './meetings.ts'
import {createLineReader} from './read-line.ts'
import {type Heritage, judgeSession, type KeptLine, positionOf, type SessionDisk} from './session-rules.ts'
import {createLineOrder, type WireLog} from './wire-log.ts'

export interface Session {
  readonly name: string
  readonly sessionId: string
  readonly handlers: HandlerList
  /** Who served it when it was added, as far as that was known. */
  readonly supervisor?: string
}

export interface SessionWitness extends Witness {
  readonly sessionId: string
  /** In the transaction that comes next a session is replaced by this one. */
  readonly inherits: (heritage: Heritage) => void
  /** Who answered last, of what is durable. */
  readonly supervisor: () => string | undefined
}

/**
 * Watches the disk on behalf of one session of a daemon: from the lines that came, what the handlers did and what the user asked
 * for it works out itself where the session must stand. It knows nothing of how the engine does it.
 */
export function createSessionWitness(
  session: Session,
  log: WireLog,
  now: () => number,
  verdict: Verdict,
): SessionWitness {
  const {name, sessionId, handlers} = session
  const broken: SessionDisk['broken'] = (rule, detail) => verdict.broken(rule, `${name}: ${detail}`)
  const lists = createHandlerLists(handlers, now)
  const events = new Map<number, string>()
  const disk: SessionDisk = {
    broken,
    turns: {hasCallbacks: false, lists, runs: createRuns(), broken, now, word: false},
    order: createLineOrder(log),
    reader: createLineReader(),
    called: (id, line) => calledBy(disk, events.get(id), id, line),
    kept: new Map(),
    unhandled: new Map(),
    maySkip: new Set(),
    standing: {held: undefined, retired: new Set()},
    owed: undefined,
    heritage: undefined,
    meetings: createMeetings(session.supervisor, broken),
  }
  return {
    lists,
    sessionId,
    inherits(heritage) {
      disk.heritage = heritage
    },
    supervisor: disk.meetings.last,
    lifeOver: disk.order.clear,
    asked: (changes) => judgeAsked(disk, changes, events),
    durable: (changes) => judgeSession(disk, changes),
    abortedOpen() {
      for (const one of disk.kept.values()) one.attemptOpen = false
    },
    began: (begun) =>
      beginRun(
        disk.turns,
        [...disk.unhandled.values()].find(({key}) => key === begun.run.key),
        begun,
      ),
    userSkips: (frame) => void disk.maySkip.add(frame),
    userRetries() {
      disk.turns.word = true
    },
    checkLoaded(stored) {
      checkLoaded(disk, stored, {position: positionOf(disk.standing), left: disk.standing.retired})
      const {supervisor} = stored.record
      if (supervisor?.generation !== disk.meetings.last())
        broken('what was loaded is not what is durable', `supervisor ${supervisor?.generation}`)
    },
    position: () => positionOf(disk.standing),
    vectorSeen: () => false,
    unhandled: () => disk.unhandled.size,
  }
}

function calledBy(disk: SessionDisk, event: string | undefined, id: number, line: KeptLine['line']): KeptLine {
  const key = `g:${line.at.generation} ${line.at.sequence}`
  const subject = (): Subject | undefined => {
    const {outcome} = judgeLine(disk.standing, line)
    const isChosen = line.kind === 'event' && (outcome === 'handled' || outcome === 'discarded')
    return isChosen
      ? {names: event === undefined ? [] : [event], rooms: [], addressed: undefined, comesTo: outcome}
      : undefined
  }
  return {...newCalled({id, key, isCallable: false, subject}, undefined, false), line}
}
