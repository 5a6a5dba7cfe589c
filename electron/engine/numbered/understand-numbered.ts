import type {CursorFrame} from '../../../shared/frames/frame.ts'
import {numberedFrame} from '../../../shared/frames/numbered-frame.ts'
import {classifyNumbered} from '../../../shared/frames/numbered-message.ts'
import type {JournaledFrame} from '../../../shared/history/fact.ts'
import type {NumberedShape} from '../../../shared/source/numbered.ts'
import {readBlock} from '../wire/read-block.ts'

/** A journaled frame that waits, from its bytes and its context. `undefined`: it no longer reads. */
export function understandNumbered({bytes, context}: JournaledFrame, shape: NumberedShape): CursorFrame | undefined {
  const block = shape.over === 'sse' ? readBlock(bytes) : {data: new TextDecoder().decode(bytes), id: undefined}
  const message = block === undefined ? undefined : classifyNumbered(block.data, shape, block.id)
  return message === undefined || message.kind === 'malformed' ? undefined : numberedFrame(message, context ?? {})
}
