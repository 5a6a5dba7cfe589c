import type {Result} from '../../../../../shared/base/result.ts'
import type {DemoClock} from '../../../../demo/demo-clock.ts'
import {badText} from '../../../../demo/numbered/bad-message.ts'
import {type Carrier, createCarrier, type ReaderSocket} from '../../../../demo/numbered/carrier.ts'
import type {Entry} from '../../../../demo/numbered/numbered-log.ts'
import {createReaders, type Readers} from '../../../../demo/numbered/readers.ts'
import {type CursorPlace, messageOf} from '../../../../demo/numbered/render.ts'
import type {Refusal, ResumeAsk} from '../../../../demo/numbered/resume-ask.ts'
import type {NumberedAction} from '../../../../demo/numbered/scenario.ts'
import {createStage} from '../../../../demo/numbered/stage.ts'
import type {Dice} from '../dice.ts'
import type {NumberedAct, NumberedPlan} from '../plan.ts'
import {type Schedule, WORLD} from '../schedule.ts'
import type {Place} from './read-message.ts'
import type {Numbering} from './server-numbering.ts'
import {createSimulatedFile, type SimulatedFile} from './simulated-files.ts'

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
  /** Where it writes instead of letting readers in. */
  readonly file: SimulatedFile | undefined
}

export interface NumberedSocket extends ReaderSocket {
  readonly onGone: (gone: () => void) => void
}

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly plan: NumberedPlan
  readonly note: (line: () => string) => void
}

interface Incarnation {
  readonly stage: ReturnType<typeof createStage>
  readonly carrier: Carrier
  readonly readers: Readers
  numbering: {readonly entries: Entry[]}
}

const STARTED_AT = 1_764_000_000_000
/** Every so manieth word that all is well ends all connections: whoever only listens meets a server that does. */
const HANGS_UP_EVERY = 4

export function createNumberedServer(parts: Parts): NumberedServer {
  const {schedule, plan, note} = parts
  const file = plan.over === 'file' ? createSimulatedFile({entries: []}) : undefined
  const writer = createWriter(parts, file)
  const place = placeOf(plan)
  const linesOf = (entries: readonly Entry[]): string =>
    entries.map((entry) => `${JSON.stringify(messageOf(entry, place))}\n`).join('')
  const start = (stored: readonly Entry[], firstGeneration: number, inPlace = false): Incarnation =>
    begin(parts, stored, firstGeneration, {
      begun: (numbering) => writer.anew(numbering, linesOf(stored), inPlace),
      made: (entry) => writer.write(linesOf([entry])),
    })
  let last = start([], plan.firstGeneration)
  let shutUntil = 0
  let closedDoor: Exclude<Door, 'open'> = 'shut'
  let marks = 0

  const perform = (action: NumberedAction): void => last.carrier.perform(last.stage.act(schedule.now(), action))
  const replace = (stored: readonly Entry[], firstGeneration: number, inPlace: boolean): void => {
    perform({kind: 'hangUp'})
    last.carrier.stop()
    last = start(stored, firstGeneration, inPlace)
  }
  const shut = (door: typeof closedDoor, forMs: number): void => {
    closedDoor = door
    shutUntil = schedule.now() + forMs
  }
  const rotate = (): void => {
    if (file === undefined) return
    last.numbering = {entries: []}
    writer.anew(last.numbering, '', false)
  }

  return {
    file,
    door: () => (shutUntil > schedule.now() ? closedDoor : 'open'),
    numbering: () => last.numbering,
    enter: (ask, socket) => last.readers.enter('', ask, () => socket),
    act(act) {
      note(() => `${plan.name} server does ${JSON.stringify(act)}`)
      const {entries} = last.numbering
      switch (act.kind) {
        case 'lose':
          return replace([], act.firstGeneration, act.inPlace)
        case 'backUp':
          if (entries.length === 0) return
          return replace(entries.slice(0, Math.max(1, entries.length - act.without)), 0, act.inPlace)
        case 'down':
          perform({kind: 'hangUp'})
          writer.hide(act.forMs)
          return shut('shut', act.forMs)
        case 'refuse':
          return shut(act.how, act.forMs)
        case 'rotate':
          return rotate()
        case 'bad':
          if (entries.length > 0) writer.write(`${badText(entries, act.what, place)}\n`)
          return perform(act)
        default:
          return perform(act)
      }
    },
    mark() {
      marks += 1
      shutUntil = 0
      file?.setThere(true)
      if (marks % HANGS_UP_EVERY === 0) perform({kind: 'hangUp'})
      if (marks % HANGS_UP_EVERY === 0) writer.anew(last.numbering, linesOf(last.numbering.entries), false)
      perform({kind: 'snapshot', reason: 'all is well'})
      perform({kind: 'event', event: {kind: 'note', text: 'all is well'}})
    },
    marked: () => marks > 0,
    standsAt: () => last.stage.head(),
  }
}

function placeOf({cursorAt, idBetween}: NumberedPlan): CursorPlace {
  if (idBetween !== undefined) return {idBetween}
  return cursorAt === '' ? [] : cursorAt.split('.')
}

interface Copies {
  readonly begun: (numbering: Numbering) => void
  readonly made: (entry: Entry) => void
}

function begin(
  {schedule, plan, note}: Parts,
  stored: readonly Entry[],
  firstGeneration: number,
  copies: Copies,
): Incarnation {
  const place = placeOf(plan)
  const stage = createStage({
    scenario: {name: plan.name, about: 'simulated', firstGeneration, steps: []},
    stored,
    future: plan.serverFuture,
    place,
    epochOffset: STARTED_AT,
  })
  const append = (entry: Entry): void => void incarnation.numbering.entries.push(entry)
  const copy = (entry: Entry): void => {
    note(() => `${plan.name} server made ${JSON.stringify(entry.cursor)}`)
    copies.made(entry)
  }
  const store = {read: () => [], append, forget: () => {}}
  const carrier = createCarrier({stage, clock: clockOf(schedule), store, copy, place})
  const readers = createReaders(stage, carrier)
  const incarnation: Incarnation = {stage, carrier, readers, numbering: {entries: [...stored]}}
  copies.begun(incarnation.numbering)
  carrier.perform(stage.tick(schedule.now()))
  return incarnation
}

/** Writes as programs do: whole lines mostly, and sometimes a line in two pieces. What takes the place of a file is complete. */
function createWriter({schedule, dice}: Parts, file: SimulatedFile | undefined) {
  let pieces: string[] = []
  const flush = (): void => {
    for (const piece of pieces) file?.append(piece)
    pieces = []
  }
  return {
    write(text: string): void {
      if (file === undefined) return
      if (pieces.length === 0 && dice.chance(0.8)) return file.append(text)
      const cut = dice.below(text.length)
      pieces.push(text.slice(0, cut), text.slice(cut))
      schedule.after(dice.between(0, 400), 'server', WORLD, flush)
    },
    anew(numbering: Numbering, text: string, inPlace: boolean): void {
      flush()
      if (inPlace) file?.rewrite(numbering, text)
      else file?.replace(numbering, text)
    },
    hide(forMs: number): void {
      file?.setThere(false)
      schedule.after(forMs, 'server', WORLD, () => file?.setThere(true))
    },
  }
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
