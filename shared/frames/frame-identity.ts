import type {RawFrame} from './raw-frame.ts'

/**
 * Two deliveries are the same frame when event name, id and data text are the same. The lengths in front keep the parts
 * apart; nothing is escaped, because this is made for every frame and looked at for few.
 */
export function frameIdentity({event, id, data}: RawFrame): string {
  return `${event.length},${id?.length ?? ''},${event}${id ?? ''}${data}`
}
