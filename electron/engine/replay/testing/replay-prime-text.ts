import type {PrimeLine} from '../prime-lines.ts'
import {parsePrimeStart} from '../replay-options.ts'
import {replayPrime} from '../replay-prime.ts'

export interface AskedPrime {
  readonly start?: object
  readonly chunks?: readonly number[]
}

export async function replayPrimeBytes(
  body: string | Uint8Array,
  {start = {}, chunks}: AskedPrime = {},
): Promise<PrimeLine[]> {
  const lanes = parsePrimeStart(JSON.stringify(start))
  if (!lanes.ok) throw new Error(lanes.error)
  const lines: PrimeLine[] = []
  const options = chunks === undefined ? {start: lanes.value} : {start: lanes.value, chunks}
  for await (const line of replayPrime([Buffer.from(body)], options)) lines.push(line)
  return lines
}
