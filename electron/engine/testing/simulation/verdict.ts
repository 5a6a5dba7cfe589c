/** The rules of the design, in the words of a violation. */
export type Rule =
  | 'the cursor passed a frame that was received and not handled'
  | 'a handled frame is durable without its move'
  | 'a move has no cause'
  | 'the steps of a move do not connect'
  | 'the position is not what the handled frames add up to'
  | 'a frame is durable that was not received, or not in order'
  | 'a frame came to another outcome than its kind allows'
  | 'a frame was handled before its callback resolved'
  | 'a gap stands in the ledger with another position than was held'
  | 'a callback began before its frame and attempt were durable'
  | 'two callbacks of one source ran at once'
  | 'attempts were not counted on'
  | 'an attempt is recorded otherwise than it ran'
  | 'a frame is settled, and an attempt on it is still open'
  | 'a handler ran out of its turn'
  | 'one attempt ran a handler twice'
  | 'a repetition was told by another key than the first run'
  | 'a frame ran again that should hold its source'
  | 'a second effect was called the first attempt'
  | 'that a vector was seen was forgotten'
  | 'a frame was skipped that no user skipped'
  | 'what is visible is not what is acknowledged'
  | 'a beat reported more than is acknowledged'
  | 'a stream was opened elsewhere than at the acknowledged position'
  | 'a beat was sent before the server introduced the connection'
  | 'two streams of one source were open at once'
  | 'a source that is held, stopped or paused did something'
  | 'what was loaded is not what is durable'
  | 'numbers that were not seen were stepped over in silence'
  | 'a hole is told of numbers that were seen'
  | 'a generation was left and not retired'
  | 'a generation was retired that nothing left'
  | 'a generation came back that nothing brought'
  | 'a generation came back and is still called left'
  | 'a numbering that began anew was decided about without the user'
  | 'what the user said of a numbering is not kept with it'
  | 'a stream was read on behind a numbering that began anew'
  | 'a stream was read on while too much of it waits'
  | 'the cursor passed what the server would send again'
  | 'a cursor ahead of the server was called caught up'
  | 'a file was left open'
  | 'another supervisor was met in silence'
  | 'a supervisor was told of again, or never answered'
  | 'a source was removed that no user removed'
  | 'a source that the user removed came back'
  | 'a daemon was told what a watcher must not say'
  | 'a source did not catch up'
  | 'the engine did not close'
  | 'the engine threw'

export interface Violation {
  readonly rule: Rule
  readonly detail: string
  /** Ms since the world began. */
  readonly at: number
}

/** Keeps the first violation. It never throws: what it judges is in the middle of its work. */
export interface Verdict {
  readonly broken: (rule: Rule, detail: string) => void
  readonly violation: () => Violation | undefined
}

export function createVerdict(now: () => number): Verdict {
  let first: Violation | undefined
  return {
    broken: (rule, detail) => {
      first ??= {rule, detail, at: now()}
    },
    violation: () => first,
  }
}
