import type {Dice} from './dice.ts'

/** Whose event it is. What belongs to a process that died does not happen. */
export interface Owner {
  readonly alive: () => boolean
}

/** What an event is about, so that a crash can be planned for the moment after one. */
export type Tag = 'timer' | 'synced' | 'acknowledged' | 'bytes' | 'callback' | 'answer' | 'server' | 'user' | 'plan'

export interface Scheduled {
  readonly tag: Tag
  readonly owner: Owner
  readonly run: () => void
  readonly cancel: () => void
}

/** Everything that is still to happen, in one order: by time, and by the dice where times are equal. */
export interface Schedule {
  /** Ms since the world began. */
  readonly now: () => number
  readonly after: (ms: number, tag: Tag, owner: Owner, run: () => void) => Scheduled
  /** Takes the next event out and moves the time to it. */
  readonly next: () => Scheduled | undefined
  /** The owner's machine sleeps: whatever was to happen there happens so much later. */
  readonly postpone: (owner: Owner, ms: number) => void
}

interface Entry extends Scheduled {
  due: number
  readonly tie: number
  cancelled: boolean
}

export const WORLD: Owner = {alive: () => true}

export function createSchedule(dice: Dice): Schedule {
  let heap: Entry[] = []
  /** Until when whose machine sleeps. */
  const asleep = new Map<Owner, number>()
  let now = 0

  return {
    now: () => now,
    after(ms, tag, owner, run) {
      const cancel = (): void => {
        entry.cancelled = true
      }
      const entry: Entry = {
        due: Math.max(now + Math.max(0, ms), asleep.get(owner) ?? 0),
        tie: dice.next(),
        cancelled: false,
        tag,
        owner,
        run,
        cancel,
      }
      push(heap, entry)
      return entry
    },
    next() {
      for (let entry = pop(heap); entry !== undefined; entry = pop(heap)) {
        if (entry.cancelled || !entry.owner.alive()) continue
        now = Math.max(now, entry.due)
        return entry
      }
      return undefined
    },
    postpone(owner, ms) {
      asleep.set(owner, now + ms)
      const entries = heap
      heap = []
      for (const entry of entries) {
        if (entry.owner === owner) entry.due += ms
        push(heap, entry)
      }
    },
  }
}

function isBefore(a: Entry, b: Entry): boolean {
  return a.due < b.due || (a.due === b.due && a.tie < b.tie)
}

/** A binary heap in an array: the children of `n` stand at `2n + 1` and `2n + 2`. */
function push(heap: Entry[], entry: Entry): void {
  let at = heap.length
  heap.push(entry)
  while (at > 0) {
    const parent = (at - 1) >> 1
    const above = heap[parent]
    if (above === undefined || !isBefore(entry, above)) break
    heap[at] = above
    at = parent
  }
  heap[at] = entry
}

function pop(heap: Entry[]): Entry | undefined {
  const first = heap[0]
  const last = heap.pop()
  if (first === undefined || last === undefined || heap.length === 0) return first
  let at = 0
  for (;;) {
    const left = 2 * at + 1
    const right = left + 1
    const [l, r] = [heap[left], heap[right]]
    const [child, index] = r !== undefined && l !== undefined && isBefore(r, l) ? [r, right] : [l, left]
    if (child === undefined || !isBefore(child, last)) break
    heap[at] = child
    at = index
  }
  heap[at] = last
  return first
}
