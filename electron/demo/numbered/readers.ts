import type {Result} from '../../../shared/base/result.ts'
import type {Carrier, ReaderSocket} from './carrier.ts'
import type {Refusal, ResumeAsk} from './resume-ask.ts'
import type {ReaderId, Stage} from './stage.ts'

/** What a client asked for, and what became of it. */
export interface AskRecord {
  /** The first line, or the address with the `Last-Event-ID` behind it. */
  readonly asked: string
  readonly refused: Refusal | undefined
}

/** Lets readers in, whatever they speak. */
export interface Readers {
  /** `undefined`: it is in, and has been sent what is greater than its cursor. */
  readonly enter: (
    asked: string,
    ask: Result<ResumeAsk, Refusal>,
    open: () => ReaderSocket & {readonly onGone: (gone: () => void) => void},
  ) => Refusal | undefined
  readonly record: () => readonly AskRecord[]
}

export function createReaders(stage: Stage, carrier: Carrier): Readers {
  const record: AskRecord[] = []
  let last: ReaderId = 0
  return {
    record: () => record,
    enter: (asked, ask, open) => {
      const reader = last + 1
      const opened = ask.ok ? stage.open(reader, ask.value) : ask
      record.push({asked, refused: opened.ok ? undefined : opened.error})
      if (!opened.ok) return opened.error
      last = reader
      const socket = open()
      carrier.add(reader, socket)
      socket.onGone(() => carrier.gone(reader))
      carrier.perform(opened.value)
      return undefined
    },
  }
}
