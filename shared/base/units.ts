import type {Brand} from './brand.ts'

/** Milliseconds since the Unix epoch, as this machine's clock read. */
export type EpochMs = Brand<number, 'EpochMs'>

/** The one cast that makes an instant. */
export function epochMs(value: number): EpochMs {
  return value as EpochMs
}
