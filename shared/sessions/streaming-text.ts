import {isJsonObject, type JsonObject, member, textOf} from '../base/json.ts'
import {ownText} from '../base/own-text.ts'
import {objectOf} from '../frames/prime-snapshot.ts'
import {parseSequence} from '../position/position.ts'

/** The message that is being streamed: the last 4,000 characters of what it says and of what it thinks. */
export interface StreamingText {
  readonly text: string
  readonly thinking: string
}

export interface StreamingMessage {
  /** Takes the next event of the session. */
  readonly take: (event: JsonObject) => void
  /** Begins with what a snapshot says is under way: a client that attaches in the middle of a message hears no start. */
  readonly seed: (message: JsonObject | undefined) => void
  /** Absent: none is being streamed. */
  readonly told: () => StreamingText | undefined
}

interface Block {
  readonly kind: 'text' | 'thinking'
  said: string
}

const KEPT = 4_000
/** A message of more blocks is told from its last ones. */
const BLOCKS = 200

/**
 * Sums a message from its deltas, block by block, corrected by the end of each block. Never from `message_update.message`, which
 * can lack text that was streamed (Prime note, section 9).
 */
export function createStreamingMessage(): StreamingMessage {
  let blocks: Map<number, Block> | undefined

  const put = (index: number, kind: Block['kind'], said: string): void => {
    blocks ??= new Map()
    blocks.set(index, {kind, said: said.length > KEPT ? ownText(said.slice(-KEPT)) : said})
    const [oldest] = blocks.keys()
    if (blocks.size > BLOCKS && oldest !== undefined) blocks.delete(oldest)
  }

  return {
    take(event) {
      const type = textOf(event, 'type')
      if (type === 'message_end' || type === 'agent_end') blocks = undefined
      else if (type === 'message_start') blocks = isAssistant(objectOf(event, 'message')) ? new Map() : undefined
      else if (type === 'message_update') takeUpdate(objectOf(event, 'assistantMessageEvent') ?? {}, blocks, put)
    },
    seed(message) {
      blocks = undefined
      const content = message === undefined ? undefined : member(message, 'content')
      if (!Array.isArray(content)) return
      blocks = new Map()
      for (const [index, part] of content.entries()) if (isJsonObject(part)) seedPart(index, part, put)
    },
    told: () =>
      blocks === undefined ? undefined : {text: joined(blocks, 'text'), thinking: joined(blocks, 'thinking')},
  }
}

type Put = (index: number, kind: Block['kind'], said: string) => void

function takeUpdate(update: JsonObject, blocks: ReadonlyMap<number, Block> | undefined, put: Put): void {
  const index = parseSequence(member(update, 'contentIndex'))
  const [kind, what] = (textOf(update, 'type') ?? '').split('_')
  if (index === undefined || (kind !== 'text' && kind !== 'thinking')) return
  const delta = textOf(update, 'delta') ?? ''
  if (what === 'start') put(index, kind, '')
  else if (what === 'delta') put(index, kind, (blocks?.get(index)?.said ?? '') + delta)
  else if (what === 'end') put(index, kind, textOf(update, 'content') ?? blocks?.get(index)?.said ?? '')
}

function seedPart(index: number, part: JsonObject, put: Put): void {
  const kind = textOf(part, 'type')
  if (kind === 'text' || kind === 'thinking') put(index, kind, textOf(part, kind) ?? '')
}

function joined(blocks: ReadonlyMap<number, Block>, kind: Block['kind']): string {
  return [...blocks]
    .sort(([a], [b]) => a - b)
    .flatMap(([, block]) => (block.kind === kind ? [block.said] : []))
    .join('\n')
    .slice(-KEPT)
}

function isAssistant(message: JsonObject | undefined): boolean {
  return message !== undefined && textOf(message, 'role') === 'assistant'
}
