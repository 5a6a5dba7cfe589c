import type {StateCreator} from 'zustand/vanilla'
import type {AppInfo, RequestError} from '../../shared/contract/contract.ts'

/** Whether the engine can be reached. `retryAt` is on this screen's own clock, epoch ms. */
export type Link =
  | {readonly kind: 'connecting'}
  | {readonly kind: 'ready'}
  | {readonly kind: 'lost'; readonly detail: string; readonly retryAt: number}
  /** The host does not take this page's token: trying again would send the same one. */
  | {readonly kind: 'refused'}

export interface EngineSlice {
  readonly link: Link
  readonly info: AppInfo | undefined
  /** The last background request that failed; undefined again when one succeeds. */
  readonly problem: RequestError | undefined
  /** The number of the last batch; a jump means that some were lost. */
  readonly batchNumber: number | undefined
  /** Frames journaled a second, and the age in ms of the oldest change of the last batch; absent before the first. */
  readonly rate: number | undefined
  readonly lagMs: number | undefined
  /** When the last batch was made, by the engine's clock, epoch ms. */
  readonly batchAt: number | undefined
  /** When the last batch or answer about the whole came, by the engine's clock, epoch ms. */
  readonly lastHeard: number | undefined
  /** The engine's clock minus this screen's, in ms. */
  readonly clockOffset: number
  /**
   * The engine's clock as of the last tick: for ages on screen. Epoch ms. It stands still while the engine is not reached,
   * because an age that goes on growing would claim that nothing has changed.
   */
  readonly now: number
  /** This screen's clock as of the last tick, epoch ms. */
  readonly localNow: number
  readonly setLink: (link: Link) => void
  readonly setInfo: (info: AppInfo, clockOffset: number) => void
  readonly setProblem: (problem: RequestError | undefined) => void
  /** @param localNow - this screen's clock, epoch ms */
  readonly tick: (localNow: number) => void
}

export const createEngineSlice: StateCreator<EngineSlice> = (set, get) => ({
  link: {kind: 'connecting'},
  info: undefined,
  problem: undefined,
  batchNumber: undefined,
  rate: undefined,
  lagMs: undefined,
  batchAt: undefined,
  lastHeard: undefined,
  clockOffset: 0,
  now: 0,
  localNow: 0,
  setLink: (link) =>
    set(link.kind === 'ready' ? {link, batchNumber: undefined} : {link, rate: undefined, lagMs: undefined}),
  setInfo: (info, clockOffset) => set({info, clockOffset, lastHeard: info.now}),
  setProblem: (problem) => set({problem}),
  tick: (localNow) => {
    const {link, now, clockOffset} = get()
    set({localNow, now: link.kind === 'ready' || now === 0 ? localNow + clockOffset : now})
  },
})
