import type {Action, Numbers, Scenario} from '../scenario.ts'

/** Where the numbers stand when everything was said. */
export function finalNumbers({start, steps}: Scenario): Numbers {
  return steps.reduce((numbers, step) => after(numbers, step.do), start)
}

function after({s, rooms}: Numbers, action: Action): Numbers {
  if (action.kind === 'gap' && action.says !== 'neither') return action.to
  if (action.kind === 'restart') return action.to
  if (action.kind !== 'publish' && action.kind !== 'burst') return {s, rooms}
  const {event, room, passedBy = 0} = action.event
  const count = action.kind === 'burst' ? action.count : 1
  const spoken = event === 'message' || event === 'command' || event === 'room_join'
  return {s: s + count, rooms: spoken ? {...rooms, [room]: (rooms[room] ?? 0) + count + passedBy} : rooms}
}

/** As the position of a client that handled all of it. Older servers tell of no rooms. */
export function finalPosition(scenario: Scenario): ReadonlyMap<string, number> {
  const {s, rooms} = finalNumbers(scenario)
  const named = Object.entries(rooms).map(([room, n]) => [`r:${room}`, n] as const)
  return new Map([['s', s], ...(scenario.revision === 'r3' ? named : [])])
}
