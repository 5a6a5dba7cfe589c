import type {Numbers, Retention} from './scenario.ts'

/** An event the server still holds, as the bytes it goes out in. */
export interface RetainedEvent {
  readonly s: number
  readonly at: number
  readonly text: string
  readonly room: string
  /** The room's own number, where the event is part of its conversation. */
  readonly roomNumber?: number
  readonly addressed: boolean
}

/** The events of one agent: bounded by count and age, dropped lazily when another is appended. Their `s` is without holes. */
export interface RetainedEvents {
  readonly append: (event: RetainedEvent) => void
  /** The last `s` given out. */
  readonly head: () => Numbers
  /** Where a stream stands that has everything up to the oldest retained event. */
  readonly floor: () => Numbers
  readonly after: (cursor: number, limit: number) => readonly RetainedEvent[]
  /** Whether events after this cursor were dropped, or belong to an earlier run of these numbers. 0 stands for "all you have". */
  readonly lost: (cursor: number) => boolean
  /** The rooms of the dropped events after this cursor. */
  readonly roomsLost: (cursor: number) => readonly string[]
  /** Before the numbers of this run. */
  readonly isOfEarlierRun: (cursor: number) => boolean
  readonly replace: (to: Numbers) => void
  /** How often the numbers were replaced. */
  readonly replacements: () => number
}

export function createRetainedEvents(start: Numbers, retention: Retention): RetainedEvents {
  let events: RetainedEvent[] = []
  let runStart = start.s
  let replacements = 0
  let floor = start
  let head = start
  /** Per room the highest `s` dropped in this run; one entry a room, however long it runs. */
  let dropped = new Map<string, number>()

  function append(event: RetainedEvent): void {
    events.push(event)
    head = advance(head, event)
    const tooOld = event.at - retention.ageMs
    for (let first = events[0]; first !== undefined; first = events[0]) {
      if (events.length <= retention.count && first.at >= tooOld) break
      events.shift()
      floor = advance(floor, first)
      dropped.set(first.room, first.s)
    }
  }

  function isOfEarlierRun(cursor: number): boolean {
    return cursor > head.s || (cursor > 0 && cursor < runStart)
  }

  return {
    append,
    head: () => head,
    floor: () => floor,
    after: (cursor, limit) => {
      const from = Math.max(0, cursor - floor.s)
      return events.slice(from, from + limit)
    },
    isOfEarlierRun,
    lost: (cursor) => isOfEarlierRun(cursor) || (dropped.size > 0 && cursor < floor.s),
    roomsLost: (cursor) => [...dropped].flatMap(([room, last]) => (last > cursor ? [room] : [])).sort(),
    replace: (to) => {
      events = []
      dropped = new Map()
      runStart = to.s
      replacements += 1
      floor = to
      head = to
    },
    replacements: () => replacements,
  }
}

function advance(numbers: Numbers, {s, room, roomNumber}: RetainedEvent): Numbers {
  return {s, rooms: roomNumber === undefined ? numbers.rooms : {...numbers.rooms, [room]: roomNumber}}
}

/** The third revision's vector: `s`, and `r:` before each room's id. */
export function vectorOf({s, rooms}: Numbers): Readonly<Record<string, number>> {
  return {s, ...Object.fromEntries(Object.entries(rooms).map(([room, number]) => [`r:${room}`, number]))}
}
