import type {Result} from '../../../../../shared/base/result.ts'
import type {DemoClock} from '../../../../demo/demo-clock.ts'
import {type Carrier, createCarrier, type ReaderSocket} from '../../../../demo/numbered/carrier.ts'
import type {Entry} from '../../../../demo/numbered/numbered-log.ts'
import {createReaders, type Readers} from '../../../../demo/numbered/readers.ts'
import type {Refusal, ResumeAsk} from '../../../../demo/numbered/resume-ask.ts'
import type {NumberedAction} from '../../../../demo/numbered/scenario.ts'
import {createStage} from '../../../../demo/numbered/stage.ts'
import type {NumberedAct, NumberedPlan} from '../plan.ts'
import type {Schedule} from '../schedule.ts'
import type {Place} from './read-message.ts'

/** Everything that one store of the server held, in order. It grows while that store is there. */
export interface Numbering {
  readonly entries: readonly Entry[]
}

export type Door = 'open' | 'shut' | 'failing' | 'refusing'

/** The demo's server of numbered cursors in simulated time: its own state machine, and its outputs put on lines. */
export interface NumberedServer {
  readonly door: () => Door
  /** What it is sent from here on comes from this store. */
  readonly numbering: () => Numbering
  /** `undefined`: the reader is in. */
  readonly enter: (ask: Result<ResumeAsk, Refusal>, socket: NumberedSocket) => Refusal | undefined
  readonly act: (act: NumberedAct) => void
  /** Mends what is amiss, and says that all is well. */
  readonly mark: () => void
  readonly marked: () => boolean
  readonly standsAt: () => Place | undefined
}

export interface NumberedSocket extends ReaderSocket {
  readonly onGone: (gone: () => void) => void
}

interface Parts {
  readonly schedule: Schedule
  readonly plan: NumberedPlan
  readonly note: (line: () => string) => void
}

interface Incarnation {
  readonly stage: ReturnType<typeof createStage>
  readonly carrier: Carrier
  readonly readers: Readers
  readonly numbering: Numbering
}

const STARTED_AT = 1_764_000_000_000
/** Every so manieth word that all is well ends all connections: whoever only listens meets a server that does. */
const HANGS_UP_EVERY = 4

export function createNumberedServer({schedule, plan, note}: Parts): NumberedServer {
  let last = begin({schedule, plan, note}, [], plan.firstGeneration)
  let shutUntil = 0
  let closedDoor: Exclude<Door, 'open'> = 'shut'
  let marks = 0

  const perform = (action: NumberedAction): void => last.carrier.perform(last.stage.act(schedule.now(), action))
  const replace = (stored: readonly Entry[], firstGeneration: number): void => {
    perform({kind: 'hangUp'})
    last.carrier.stop()
    last = begin({schedule, plan, note}, stored, firstGeneration)
  }
  const shut = (door: typeof closedDoor, forMs: number): void => {
    closedDoor = door
    shutUntil = schedule.now() + forMs
  }

  return {
    door: () => (shutUntil > schedule.now() ? closedDoor : 'open'),
    numbering: () => last.numbering,
    enter: (ask, socket) => last.readers.enter('', ask, () => socket),
    act(act) {
      note(() => `${plan.name} server does ${JSON.stringify(act)}`)
      switch (act.kind) {
        case 'lose':
          return replace([], act.firstGeneration)
        case 'backUp':
          return replace(last.numbering.entries.slice(0, Math.max(1, last.numbering.entries.length - act.without)), 0)
        case 'down':
          perform({kind: 'hangUp'})
          return shut('shut', act.forMs)
        case 'refuse':
          return shut(act.how, act.forMs)
        default:
          return perform(act)
      }
    },
    mark() {
      marks += 1
      shutUntil = 0
      if (marks % HANGS_UP_EVERY === 0) perform({kind: 'hangUp'})
      perform({kind: 'snapshot', reason: 'all is well'})
      perform({kind: 'event', event: {kind: 'note', text: 'all is well'}})
    },
    marked: () => marks > 0,
    standsAt: () => last.stage.head(),
  }
}

function begin({schedule, plan, note}: Parts, stored: readonly Entry[], firstGeneration: number): Incarnation {
  const entries: Entry[] = [...stored]
  const place = plan.cursorAt === '' ? [] : plan.cursorAt.split('.')
  const stage = createStage({
    scenario: {name: plan.name, about: 'simulated', firstGeneration, steps: []},
    stored,
    future: plan.serverFuture,
    place,
    epochOffset: STARTED_AT,
  })
  const store = {read: () => [], append: (entry: Entry) => void entries.push(entry), forget: () => {}}
  const copy = ({cursor}: Entry): void => note(() => `${plan.name} server made ${JSON.stringify(cursor)}`)
  const carrier = createCarrier({stage, clock: clockOf(schedule), store, copy, place})
  carrier.perform(stage.tick(schedule.now()))
  return {stage, carrier, readers: createReaders(stage, carrier), numbering: {entries}}
}

/** It plays no scenario, so it never waits for a time. */
function clockOf(schedule: Schedule): DemoClock {
  return {
    now: () => STARTED_AT + schedule.now(),
    monotonic: schedule.now,
    wait: () => new Promise(() => {}),
    random: () => 0,
    uuid: () => '',
  }
}
