import type {StateCreator} from 'zustand/vanilla'
import type {FrameDetail, RequestError} from '../../shared/contract/contract.ts'

export type DetailState =
  | {readonly kind: 'none'}
  /** `shown` is what was known of this frame before, while it is asked for again. */
  | {readonly kind: 'loading'; readonly frame: number; readonly shown?: FrameDetail}
  | {readonly kind: 'ready'; readonly frame: number; readonly shown: FrameDetail}
  | {readonly kind: 'failed'; readonly frame: number; readonly error: RequestError}

export interface SelectionSlice {
  readonly selectedSource: string | undefined
  readonly selectedFrame: number | undefined
  /** The instant of the selection, epoch ms on the engine's clock. */
  readonly moment: number | undefined
  readonly detail: DetailState
  readonly selectSource: (source: string | undefined) => void
  readonly selectFrame: (source: string, frame: number, at: number) => void
  readonly setMoment: (at: number | undefined) => void
  readonly clearSelection: () => void
  readonly setDetail: (detail: DetailState) => void
}

const NO_DETAIL: DetailState = {kind: 'none'}

export const createSelectionSlice: StateCreator<SelectionSlice> = (set, get) => ({
  selectedSource: undefined,
  selectedFrame: undefined,
  moment: undefined,
  detail: NO_DETAIL,
  selectSource: (selectedSource) => set({selectedSource, selectedFrame: undefined, detail: NO_DETAIL}),
  selectFrame: (selectedSource, selectedFrame, moment) =>
    set({
      selectedSource,
      selectedFrame,
      moment,
      ...(get().selectedFrame === selectedFrame ? {} : {detail: {kind: 'loading', frame: selectedFrame}}),
    }),
  setMoment: (moment) => set({moment}),
  clearSelection: () => set({selectedFrame: undefined, moment: undefined, detail: NO_DETAIL}),
  setDetail: (detail) => set({detail}),
})
