import type {Brand} from '../base/brand.ts'

/** Ascends in the order of journaling, over all sources of a profile. */
export type FrameId = Brand<number, 'FrameId'>
