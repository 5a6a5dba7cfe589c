import type {RawFrame} from './raw-frame.ts'

/** Two deliveries are the same frame when event name, id and data text are the same. */
export function frameIdentity({event, id, data}: RawFrame): string {
  return JSON.stringify([event, id ?? null, data])
}
