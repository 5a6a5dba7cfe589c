import type {JsonObject} from '../../../shared/base/json.ts'
import {assistantMessage} from './messages.ts'

/** An answer of the model while it streams. Every call gives the events it makes, each with the message as it is shown then. */
export interface Answer {
  readonly start: () => JsonObject
  readonly delta: (block: 'text' | 'thinking', text: string) => readonly JsonObject[]
  readonly toolCall: (id: string, name: string, args: JsonObject) => readonly JsonObject[]
  /** Closes the open block. */
  readonly close: () => readonly JsonObject[]
  /** The message as the worker has it. */
  readonly whole: () => JsonObject
  readonly finish: (stopReason: string, errorMessage?: string) => JsonObject
  /**
   * A list or an attach came in between: the copy from which `message` is shown falls back behind the last delta, and
   * lacks it until the block ends (Prime note, section 9). On the real daemon this is a race; here it is always lost.
   */
  readonly fallBack: () => void
}

interface OpenBlock {
  readonly type: 'text' | 'thinking'
  readonly text: string
  /** `text` without what a list made it lose. */
  readonly shown: string
  readonly last: string
}

export function createAnswer(timestamp: number): Answer {
  let closed: readonly JsonObject[] = []
  let open: OpenBlock | undefined

  const withOpen = (shown: 'text' | 'shown'): readonly JsonObject[] =>
    open === undefined ? closed : [...closed, blockOf(open.type, open[shown])]

  const update = (content: readonly JsonObject[], event: JsonObject): JsonObject => ({
    type: 'message_update',
    message: assistantMessage(content, 'stop', timestamp),
    assistantMessageEvent: event,
  })

  const close = (): readonly JsonObject[] => {
    if (open === undefined) return []
    const {type, text} = open
    const contentIndex = closed.length
    closed = [...closed, blockOf(type, text)]
    open = undefined
    return [update(closed, {type: `${type}_end`, contentIndex, content: text})]
  }

  const begin = (type: 'text' | 'thinking'): readonly JsonObject[] => {
    const ended = close()
    open = {type, text: '', shown: '', last: ''}
    return [...ended, update(withOpen('shown'), {type: `${type}_start`, contentIndex: closed.length})]
  }

  return {
    close,
    start: () => ({type: 'message_start', message: assistantMessage([], 'stop', timestamp)}),
    delta: (type, text) => {
      const begun = open?.type === type ? [] : begin(type)
      const before = open ?? {text: '', shown: ''}
      open = {type, text: before.text + text, shown: before.shown + text, last: text}
      const event = {type: `${type}_delta`, contentIndex: closed.length, delta: text}
      return [...begun, update(withOpen('shown'), event)]
    },
    toolCall: (id, name, args) => {
      const ended = close()
      const before = closed
      const contentIndex = before.length
      const json = JSON.stringify(args)
      const half = Math.ceil(json.length / 2)
      const empty = [...before, {type: 'toolCall', id, name, arguments: {}}]
      const toolCall = {type: 'toolCall', id, name, arguments: args}
      closed = [...before, toolCall]
      return [
        ...ended,
        update(empty, {type: 'toolcall_start', contentIndex}),
        update(empty, {type: 'toolcall_delta', contentIndex, delta: json.slice(0, half)}),
        update(closed, {type: 'toolcall_delta', contentIndex, delta: json.slice(half)}),
        update(closed, {type: 'toolcall_end', contentIndex, toolCall}),
      ]
    },
    whole: () => assistantMessage(withOpen('text'), 'stop', timestamp),
    finish: (stopReason, errorMessage) => assistantMessage(withOpen('text'), stopReason, timestamp, errorMessage),
    fallBack: () => {
      if (open === undefined || !open.shown.endsWith(open.last)) return
      open = {...open, shown: open.shown.slice(0, open.shown.length - open.last.length), last: ''}
    },
  }
}

function blockOf(type: 'text' | 'thinking', text: string): JsonObject {
  return type === 'text' ? {type, text} : {type, thinking: text}
}
