import type {Arrival} from '../../../shared/frames/raw-frame.ts'
import type {MessageArrival} from './transport.ts'

/** A server-sent event as a message: what it says is JSON in its data; its id may have the cursor. */
export function messageOfEvent(arrival: Arrival): MessageArrival {
  if (arrival.kind === 'tooLong') return arrival
  const {data, id, bytes, cuts} = arrival.frame
  return {kind: 'message', text: data, bytes, cuts, ...(id === undefined ? {} : {id})}
}
