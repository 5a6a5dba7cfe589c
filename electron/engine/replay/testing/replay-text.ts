import {parsePosition} from '../../../../shared/position/position.ts'
import type {ReplayLine} from '../replay-lines.ts'
import type {ReplayCallback} from '../replay-options.ts'
import {type ReplayOptions, replaySwitch} from '../replay-switch.ts'

export interface Asked {
  readonly start?: object
  readonly chunks?: readonly number[]
  readonly onEvent?: ReplayCallback
  readonly onGap?: ReplayCallback
}

export async function replay(body: string | Uint8Array, {start = {}, ...rest}: Asked = {}): Promise<ReplayLine[]> {
  const options: ReplayOptions = {...rest, start: parsePosition(start) ?? new Map()}
  return collect(replaySwitch([Buffer.from(body)], options))
}

async function collect(lines: AsyncIterable<ReplayLine>): Promise<ReplayLine[]> {
  const all: ReplayLine[] = []
  for await (const line of lines) all.push(line)
  return all
}

export async function frames(body: string | Uint8Array, asked: Asked = {}): Promise<ReplayLine[]> {
  return (await replay(body, asked)).slice(0, -1)
}

export async function end(body: string | Uint8Array, asked: Asked = {}): Promise<ReplayLine | undefined> {
  return (await replay(body, asked)).at(-1)
}

export const P = {s: 18, 'r:room-a': 43, 'r:room-b': 9}
export const event = (data: object, head = 'event: message'): string =>
  `${head}\ndata: ${JSON.stringify({type: 'message', ...data})}\n\n`
export const gap = (data: object): string => `event: gap\ndata: ${JSON.stringify(data)}\n\n`
export const at = (position: object): string => event({position})
