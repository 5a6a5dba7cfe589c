import type {StateCreator} from 'zustand/vanilla'
import type {FrameDetail, RequestError} from '../../shared/contract/contract.ts'

export type DetailState =
  | {readonly kind: 'none'}
  /** `shown` is what was known of this frame before, while it is asked for again. */
  | {readonly kind: 'loading'; readonly frame: number; readonly shown?: FrameDetail}
  | {readonly kind: 'ready'; readonly frame: number; readonly shown: FrameDetail}
  | {readonly kind: 'failed'; readonly frame: number; readonly error: RequestError}

export interface SelectionSlice {
  /** The one source that list, ledgers and timeline are narrowed to; absent: all of them. */
  readonly scope: string | undefined
  /** The source of the column beside, or of the chosen frame. Where there is a scope, it is the same one. */
  readonly selectedSource: string | undefined
  readonly selectedFrame: number | undefined
  /** The instant of the selection, epoch ms on the engine's clock. */
  readonly moment: number | undefined
  readonly detail: DetailState
  /** Shows one source, everywhere. */
  readonly selectSource: (source: string) => void
  /** Puts the column away; list, ledgers and timeline stay with the source that they were narrowed to. */
  readonly closeSource: () => void
  readonly showAll: () => void
  /** A frame of another source takes a scope along with it: no two places show different sources. */
  readonly selectFrame: (source: string, frame: number, at: number) => void
  readonly setMoment: (at: number | undefined) => void
  readonly clearSelection: () => void
  readonly setDetail: (detail: DetailState) => void
}

const NO_DETAIL: DetailState = {kind: 'none'}

export const createSelectionSlice: StateCreator<SelectionSlice> = (set, get) => ({
  scope: undefined,
  selectedSource: undefined,
  selectedFrame: undefined,
  moment: undefined,
  detail: NO_DETAIL,
  selectSource: (source) => set({scope: source, selectedSource: source, selectedFrame: undefined, detail: NO_DETAIL}),
  closeSource: () => set({selectedSource: undefined, selectedFrame: undefined, detail: NO_DETAIL}),
  showAll: () => set({scope: undefined, selectedSource: undefined, selectedFrame: undefined, detail: NO_DETAIL}),
  selectFrame: (selectedSource, selectedFrame, moment) =>
    set({
      ...(get().scope === undefined ? {} : {scope: selectedSource}),
      selectedSource,
      selectedFrame,
      moment,
      ...(get().selectedFrame === selectedFrame ? {} : {detail: {kind: 'loading', frame: selectedFrame}}),
    }),
  setMoment: (moment) => set({moment}),
  clearSelection: () => set({selectedFrame: undefined, moment: undefined, detail: NO_DETAIL}),
  setDetail: (detail) => set({detail}),
})
