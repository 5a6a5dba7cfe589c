import type {NumberedPlan} from '../plan.ts'
import {idOfBlock, type Message, readMessage, type Shape, textOfBlock} from './read-message.ts'
import type {Numbering} from './server-numbering.ts'

/** A message as the engine was given it. */
export interface Received {
  /** As it stood on the wire. */
  readonly block: string
  readonly message: Message
  /** The first number of its connection. */
  readonly isFirst: boolean
  /** What the server's store held when it was sent, and since. */
  readonly numbering: Numbering
}

/** What came over the connection of one source, in one life of the engine, and what of it is durable. */
export interface MessageLog {
  /**
   * A connection; returns who takes its blocks. What came over the one before it and is not durable never will be.
   *
   * @param isLook - only its first number is of interest
   */
  readonly open: (isLook: boolean) => (block: string, numbering: Numbering) => Received
  /** The next one that this can be, which counts as durable now; `undefined`: none that came, or one was left out. */
  readonly next: (kept: string) => Received | undefined
  /** The process is gone, and with it what it read. */
  readonly clear: () => void
}

export function createMessageLog({over, ...shape}: Pick<NumberedPlan, 'over' | keyof Shape>): MessageLog {
  let received: Received[] = []
  let taken = 0
  let looks = false

  const clear = (): void => {
    received = []
    taken = 0
  }
  return {
    clear,
    open(isLook) {
      clear()
      looks = isLook
      const mine = received
      return (block, numbering) => {
        const message = readMessage(textOfBlock(block, over), shape, idOfBlock(block))
        const isFirst = message.kind === 'numbered' && !mine.some(({message: {kind}}) => kind === 'numbered')
        const one = {block: block.trim(), message, isFirst, numbering}
        mine.push(one)
        return one
      }
    },
    next(kept) {
      if (looks)
        taken = Math.max(
          taken,
          received.findIndex(({isFirst}) => isFirst),
        )
      const one = received[taken]
      if (one?.block !== kept.trim()) return undefined
      taken += 1
      return one
    },
  }
}
