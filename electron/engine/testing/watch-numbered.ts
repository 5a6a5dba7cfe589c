import {onTestFinished} from 'vitest'
import type {GenerationRow, SourceView} from '../../../shared/contract/rows.ts'
import type {NumberedFrom, NumberedSettings} from '../../../shared/source/numbered.ts'
import type {SourceId, SourceRecord} from '../../../shared/source/source.ts'
import type {Callbacks} from '../callbacks.ts'
import type {Clock} from '../clock.ts'
import {createEngine, type Engine} from '../engine.ts'
import {numberedTransports} from '../numbered/open-numbered.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {createFastClock} from './fast-clock.ts'
import {until} from './until.ts'
import {type WatchedStore, watchStore} from './watched-store.ts'

export interface WatchNumberedOptions extends Partial<Omit<NumberedSettings, 'kind' | 'from'>> {
  readonly from: NumberedFrom
  readonly clock?: Clock
  /** Absent: the journal is the callback. */
  readonly callbacks?: Callbacks
  readonly store?: Store
}

export interface WatchedNumbered {
  readonly engine: Engine
  readonly store: WatchedStore
  readonly source: SourceId
  readonly view: () => Promise<SourceView>
  readonly generations: () => Promise<readonly GenerationRow[]>
  /** What became durable of the source: outcome, event and number, in order. Control frames are left out. */
  readonly told: () => readonly string[]
  /** The durable cursor, as `5:12`; empty where none is held. */
  readonly cursor: () => string
  readonly state: () => string
  readonly until: (fact: () => boolean | Promise<boolean>, what: string) => Promise<void>
  readonly close: () => Promise<void>
}

export const NUMBERED_SOURCE = 'watched' as SourceId
export const RESUME_LINE = '{"resume":{cursor},"future":"{future}"}'

/** Lines of a demo server's socket, asked for from a cursor. */
export function linesOf(address: number | string): NumberedFrom {
  return {over: 'socket', address: typeof address === 'number' ? `127.0.0.1:${address}` : address, resume: RESUME_LINE}
}

/** Events of a demo server's stream, asked for by parameters or by `Last-Event-ID`. */
export function sseOf(url: string, by: 'query' | 'header' = 'query'): NumberedFrom {
  return by === 'query'
    ? {over: 'sse', url, query: 'generation={generation}&sequence={sequence}&future={future}', lastEventId: ''}
    : {over: 'sse', url, query: 'future={future}', lastEventId: '{cursor}'}
}

/** An engine that watches one numbered stream over the real thing. It ends with the test. */
export async function watchNumbered(options: WatchNumberedOptions): Promise<WatchedNumbered> {
  const {from, cursorAt = 'cursor', typeAt = 'type', future = 'fail', callbacks} = options
  const clock = options.clock ?? createFastClock(10)
  const settings: NumberedSettings = {kind: 'numbered', from, cursorAt, typeAt, future}
  const durable = options.store ?? createMemoryStore()
  const [known] = (await durable.load()).sources
  const store = watchStore(durable, known?.position)
  if (known === undefined) await store.commit([{kind: 'sourceAdded', source: recordOf(settings, callbacks, clock)}])
  const engine = await createEngine({
    store,
    clock,
    tokens: {get: async () => undefined, set: async () => {}, delete: async () => {}, describe: 'in a test'},
    openTransport: () => {
      throw new Error('no bridge is watched here')
    },
    demo: {
      start: () => Promise.reject(new Error('no bridge is watched here')),
      startNumbered: async () => ({settings, ...(callbacks === undefined ? {} : {callbacks})}),
      stop: async () => {},
    },
    openNumbered: numberedTransports(clock),
    shell: {version: '0', mode: 'host', profile: 'test'},
  })
  const view = async (): Promise<SourceView> => {
    const found = (await engine.handlers['sources.list']({})).find(({id}) => id === NUMBERED_SOURCE)
    if (found === undefined) throw new Error('the source is gone')
    return found
  }
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => (closing ??= engine.close())
  onTestFinished(close)
  const told = (): readonly string[] => toldOf(store)
  const state = (): string => store.connection()?.state.kind ?? 'none'
  return {
    engine,
    store,
    source: NUMBERED_SOURCE,
    view,
    generations: async () =>
      (await engine.handlers['generations.list']({source: NUMBERED_SOURCE, limit: 500})).generations,
    told,
    cursor: () => cursorText(store),
    state,
    until: (fact, what) =>
      until(fact, what, () => ({state: store.connection()?.state, told: told().slice(-20)}), 30_000),
    close,
  }
}

function toldOf({frames}: WatchedStore): readonly string[] {
  return [...frames.values()]
    .filter(({frame}) => frame.kind !== 'control')
    .map(({frame, outcomes}) => `${outcomes.at(-1)} ${frame.event}${numberOf(frame.bytes)}`)
}

/** As sent, wherever it stands in the bytes. */
function numberOf(bytes: Uint8Array): string {
  const [, generation, sequence] =
    /"generation":("[^"]*"|[^,}]+),"sequence":([^,}]+)/.exec(new TextDecoder().decode(bytes)) ?? []
  return generation === undefined ? '' : ` ${generation}:${sequence}`
}

function cursorText(store: WatchedStore): string {
  const [generation, sequence] = [...store.position().values()]
  return generation === undefined ? '' : `${generation}:${sequence}`
}

/** With callbacks it is a source of the demo, which brings them; without, one that the user adds. */
function recordOf(settings: NumberedSettings, callbacks: Callbacks | undefined, clock: Clock): SourceRecord {
  return {
    id: NUMBERED_SOURCE,
    name: 'watched',
    settings: callbacks === undefined ? settings : {kind: 'demo', scenario: 'numbered:test'},
    connectionId: 'none',
    addedAt: clock.now(),
    paused: false,
  }
}
