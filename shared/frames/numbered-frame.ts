import type {CursorFrame, FrameContext} from './frame.ts'
import type {NumberedMessage} from './numbered-message.ts'

/** What an understood message is to the journal. Whether it is the first number of its connection, its bytes do not tell. */
export function numberedFrame(
  message: Exclude<NumberedMessage, {kind: 'malformed'}>,
  context: FrameContext,
): CursorFrame {
  const {event, data} = message
  if (message.kind === 'control') return {kind: 'control', event, data}
  const {cursor, known} = message
  return {kind: 'sequenced', event, data, cursor, known, newConnection: context.newConnection === true}
}
