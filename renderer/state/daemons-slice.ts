import type {StateCreator} from 'zustand/vanilla'
import type {PrimeDaemon} from '../../shared/contract/rows.ts'

export interface DaemonsSlice {
  /** Every daemon that is looked for; `undefined` before the engine was asked. */
  readonly daemons: readonly PrimeDaemon[] | undefined
  readonly showDaemons: (daemons: readonly PrimeDaemon[]) => void
}

export const createDaemonsSlice: StateCreator<DaemonsSlice> = (set) => ({
  daemons: undefined,
  showDaemons: (daemons) => set({daemons}),
})
