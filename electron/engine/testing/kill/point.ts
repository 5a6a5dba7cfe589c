import {isJsonObject, type JsonObject, member} from '../../../../shared/base/json.ts'

/** What a child is told, as one JSON argument. */
export interface ChildPlan {
  /** The profile's folder. It stays the same over every life. */
  readonly profile: string
  readonly url: string
  readonly agentId: string
  readonly token: string
  /** Where compiled code is kept from one life to the next: half of a start is compiling. */
  readonly compiled: string
  /** Where each effect is appended, one JSON object a line. */
  readonly effects: string
  /** `step`: at every point it waits for one byte on standard input. */
  readonly mode: 'step' | 'free'
  /** Without them the journal is the callback. */
  readonly callbacks: boolean
}

/**
 * The points between which a process can die, in the order in which a frame passes them: read from the wire; before and after
 * the commit that journals it; its callback begun; its effect durable; its callback about to end; before and after the commit
 * that acknowledges it. Without callbacks the two commits are one.
 */
export const POINTS = [
  'received',
  'journaling',
  'journaled',
  'begun',
  'effect',
  'ended',
  'settling',
  'settled',
] as const
export type Point = (typeof POINTS)[number]

/** One line that a child writes, in one piece. */
export interface Passed {
  readonly point: Point | 'opening'
  /** Names of the frames it is about. */
  readonly frames: readonly string[]
  /** Ids of those it journaled. */
  readonly ids?: readonly number[]
  /** The acknowledged `s`, as this process knows it to be durable. */
  readonly own?: number
  /** Where an open asks from. */
  readonly from?: number | 'head'
}

/** One line of the effects file. */
export interface Effect {
  readonly frame: string
  readonly attempt: number
}

/** What makes an effect that of one frame, in every life: the server never gives two frames the same. */
export function nameOf(data: JsonObject): string {
  const payload = member(data, 'payload')
  const id = isJsonObject(payload) ? (member(payload, 'message_id') ?? member(payload, 'task_id')) : undefined
  return typeof id === 'string' ? id : JSON.stringify(data)
}

/** As `nameOf`, from the bytes of a frame. */
export function nameOfBytes(bytes: Uint8Array): string {
  const line = /^data: (.*)$/m.exec(Buffer.from(bytes).toString('utf8'))?.[1] ?? ''
  const parsed: unknown = line === '' ? undefined : JSON.parse(line)
  return isJsonObject(parsed) ? nameOf(parsed) : line
}
