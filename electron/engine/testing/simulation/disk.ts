import type {Change} from '../../../../shared/history/change.ts'
import {createMemoryStore} from '../../store/memory-store.ts'
import {type Store, type StoredProfile, type StoreError, StoreFailure} from '../../store/store.ts'
import type {Dice} from './dice.ts'
import type {Owner, Schedule} from './schedule.ts'

/** What watches the disk. */
export interface DiskWatch {
  readonly asked: (changes: readonly Change[]) => void
  /** They are durable; returns what to do when the engine is told so. */
  readonly durable: (changes: readonly Change[]) => () => void
  readonly loaded: (profile: StoredProfile) => void
}

export interface DiskWeather {
  /** How often a list is refused, in [0, 1]. */
  readonly errors: () => number
  readonly isSlow: () => boolean
}

/**
 * A disk with a volatile and a durable side. Lists that were committed wait in memory, are synced together at a later event,
 * all or nothing each and in their order, and are acknowledged at a still later one. What a crash finds in the middle of a
 * sync may have got there or not.
 */
export interface Disk {
  readonly storeOf: (life: Owner) => Store
  readonly fail: (kind: 'full' | 'io', forMs: number) => void
  /** The process died, after `storeOf` for it. */
  readonly crash: () => void
  /** Makes them durable at once, before the world begins. */
  readonly prepare: (changes: readonly Change[]) => void
}

interface Write {
  readonly changes: readonly Change[]
  readonly done: PromiseWithResolvers<void>
}

interface Parts {
  readonly schedule: Schedule
  readonly dice: Dice
  readonly weather: DiskWeather
  readonly watch: DiskWatch
}

export function createDisk({schedule, dice, weather, watch}: Parts): Disk {
  /** Applies changes by the rules of every store, and is only ever told what is durable. */
  const platter = createMemoryStore({history: false})
  let waiting: Write[] = []
  let syncing: Write[] = []
  /** From the beginning of a sync until everybody was told of it. */
  let busy = false
  let failing: {readonly kind: 'full' | 'io'; readonly until: number} | undefined

  const persist = (changes: readonly Change[]): (() => void) => {
    void platter.commit(changes) // takes effect at once
    return watch.durable(changes)
  }
  const refusal = (): StoreError | undefined => {
    if (failing !== undefined && failing.until > schedule.now()) return {kind: failing.kind, detail: 'simulated'}
    return dice.chance(weather.errors()) ? {kind: dice.pick(['full', 'io', 'busy']), detail: 'simulated'} : undefined
  }
  const latency = (): number => dice.between(0.1, weather.isSlow() ? dice.pick([5, 50, 800]) : 4)

  function begin(life: Owner): void {
    if (busy || waiting.length === 0) return
    busy = true
    syncing = waiting
    waiting = []
    schedule.after(latency(), 'synced', life, () => sync(life))
  }
  function sync(life: Owner): void {
    const ends = syncing.map(({changes, done}) => {
      const error = refusal()
      if (error !== undefined) return () => done.reject(new StoreFailure(error))
      const told = persist(changes)
      return () => {
        told()
        done.resolve()
      }
    })
    syncing = []
    schedule.after(dice.between(0, 2), 'acknowledged', life, () => {
      for (const end of ends) end()
      busy = false
      begin(life)
    })
  }

  return {
    prepare: (changes) => void persist(changes),
    fail(kind, forMs) {
      failing = {kind, until: schedule.now() + forMs}
    },
    crash() {
      const reached = dice.below(syncing.length + 1)
      for (const {changes} of syncing.slice(0, reached)) persist(changes)
      syncing = []
      waiting = []
      busy = false
    },
    storeOf(life) {
      let closed = false
      return {
        read: platter.read,
        prune: platter.prune,
        commit(changes) {
          if (closed) return Promise.reject(new StoreFailure({kind: 'closed', detail: 'the store is closed'}))
          if (!life.alive()) return new Promise(() => {}) // nobody is there to ask
          watch.asked(changes)
          const done = Promise.withResolvers<void>()
          waiting.push({changes, done})
          begin(life)
          return done.promise
        },
        load: () =>
          new Promise((resolve) => {
            schedule.after(latency(), 'answer', life, () => {
              void platter.load().then((profile) => {
                watch.loaded(profile)
                resolve(profile)
              })
            })
          }),
        close: () =>
          new Promise((resolve) => {
            closed = true
            const whenDrained = (): void => {
              if (!busy) resolve()
              else schedule.after(1, 'answer', life, whenDrained)
            }
            schedule.after(1, 'answer', life, whenDrained)
          }),
      }
    },
  }
}
