import type {Change} from '../../../../shared/history/change.ts'
import {type CoordinateKey, OWN, type Sequence, takeSteps} from '../../../../shared/position/position.ts'
import type {Clock} from '../../clock.ts'
import type {Store, StoredSource} from '../../store/store.ts'
import {httpTransport} from '../../switch/http-transport.ts'
import type {SwitchTarget, SwitchTransport} from '../../switch/transport.ts'
import {type NameOfFrame, nameOfBytes} from './frame-names.ts'
import type {Passed} from './point.ts'

export interface Telling {
  readonly pass: (passed: Passed) => void
  /** What this process knows to be durable. */
  readonly held: Map<CoordinateKey, Sequence>
  readonly nameOf: NameOfFrame
}

/** A store that says what each commit journals and settles, before and after. */
export function tellingStore(store: Store, {pass, held, nameOf}: Telling, known: StoredSource | undefined): Store {
  const names = new Map<number, string>()
  for (const {frame} of known?.unhandled ?? []) names.set(frame.id, nameOf(frame.bytes))
  return {
    ...store,
    async commit(changes) {
      for (const {frame} of changes.flatMap(journaledIn)) names.set(frame.id, nameOf(frame.bytes))
      const about = aboutFrames(changes, names)
      if (about !== undefined) pass({...about, point: about.pending ? 'journaling' : 'settling'})
      await store.commit(changes)
      for (const change of changes) if (change.kind === 'cursorMoved') takeSteps(held, change.move.steps)
      const own = held.get(OWN) ?? 0
      if (about !== undefined) pass({...about, point: about.pending ? 'journaled' : 'settled', own})
      for (const change of changes)
        if (change.kind === 'connectionChanged')
          pass({point: 'state', frames: [], state: change.connection.state.kind, own})
    },
  }
}

type Journaled = Extract<Change, {kind: 'frameJournaled'}>
type Settled = Extract<Change, {kind: 'frameSettled'}>

function journaledIn(change: Change): readonly Journaled[] {
  return change.kind === 'frameJournaled' ? [change] : []
}

function settledIn(change: Change): readonly Settled[] {
  return change.kind === 'frameSettled' ? [change] : []
}

function aboutFrames(changes: readonly Change[], names: ReadonlyMap<number, string>) {
  const journaled = changes.flatMap(journaledIn)
  const settled = changes.flatMap(settledIn)
  if (journaled.length + settled.length === 0) return undefined
  const ids = journaled.map(({frame}) => Number(frame.id))
  const all = [...ids, ...settled.map(({frame}) => Number(frame))]
  return {
    pending: journaled.some(({outcome}) => outcome === 'pending'),
    frames: all.map((id) => names.get(id) ?? `frame ${id}`),
    ids,
    outcomes: [...journaled, ...settled].map(({outcome}) => outcome),
  }
}

/** The shipped transport, which says what is asked of the server and what came. */
export function tellingTransport(target: SwitchTarget, clock: Clock, {pass, held}: Telling): SwitchTransport {
  const transport = httpTransport(target, {clock})
  const own = (): number => held.get(OWN) ?? 0
  return {
    beat(request, signal) {
      pass({point: 'beating', frames: [], from: request.cursor, own: own()})
      return transport.beat(request, signal)
    },
    async open(request, signal) {
      pass({point: 'opening', frames: [], from: request.from, own: own()})
      const opened = await transport.open(request, signal)
      if (!opened.ok) return opened
      const {batches} = opened.value
      async function* telling(): typeof batches {
        for (;;) {
          const next = await batches.next()
          if (next.done) return next.value
          const frames = next.value.flatMap((one) => (one.kind === 'frame' ? [nameOfBytes(one.frame.bytes)] : []))
          if (frames.length > 0) pass({point: 'received', frames})
          yield next.value
        }
      }
      return {ok: true, value: {batches: telling()}}
    },
  }
}
