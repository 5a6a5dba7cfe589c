import {wellFormed} from '../base/well-formed.ts'
import type {Place} from '../frames/place-of-frame.ts'

export interface KeyParts {
  readonly source: string
  /** The run of numbers that a sequence counts in: the newest replacement of the position, or a generation. */
  readonly epoch: string
  readonly place: Place
  /** Of the frame's own content. */
  readonly digest: string
}

/**
 * The same for every attempt on one frame, over restarts and redeliveries, and another one for every other frame: source,
 * epoch, coordinate, sequence. The digest keeps two frames apart that a server gave one number without saying that it
 * began anew, and is all that names a frame without a place. Printable ASCII, so that a header can carry it.
 */
export function idempotencyKey({source, epoch, place: {lane, sequence}, digest}: KeyParts): string {
  const parts = [source, epoch, lane ?? '', sequence === undefined ? '' : String(sequence), digest]
  return parts.map((part) => encodeURIComponent(wellFormed(part))).join('/')
}
