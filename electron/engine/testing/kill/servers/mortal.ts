import {type ChildProcess, spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import {fileURLToPath} from 'node:url'
import type {Listening, ServePlan} from '../serve-child.ts'

const SCRIPT = fileURLToPath(new URL('../serve-child.ts', import.meta.url))

/** A server in a process of its own, that can be killed and started again. */
export interface Mortal {
  readonly act: (action: object) => void
  /** SIGKILL. Resolves when it is dead. */
  readonly kill: () => Promise<void>
  readonly listening: Listening
}

export async function startMortal(plan: ServePlan, compiled: string): Promise<Mortal> {
  const env = {...process.env, NODE_COMPILE_CACHE: compiled}
  const child = spawn(process.execPath, [SCRIPT, JSON.stringify(plan)], {stdio: ['pipe', 'pipe', 'inherit'], env})
  const dead = once(child, 'close')
  child.stdin.on('error', () => {}) // it is dead: nobody is told anything any more
  const listening = await firstLine(child)
  return {
    listening,
    act: (action) => void child.stdin.write(`${JSON.stringify(action)}\n`),
    async kill() {
      child.kill('SIGKILL')
      await dead
    },
  }
}

async function firstLine({stdout}: ChildProcess): Promise<Listening> {
  if (stdout === null) throw new Error('it was started with a pipe')
  for await (const line of createInterface({input: stdout})) return JSON.parse(line) as Listening // written by serve-child.ts
  throw new Error('the server ended before it listened')
}
