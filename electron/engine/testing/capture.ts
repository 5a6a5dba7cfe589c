import {readFileSync} from 'node:fs'
import type {Answer, StandIn} from './wiretap.ts'

const FOLDER = new URL('../../../fixtures/switch-captures/', import.meta.url)

/** A raw body as the real server modules wrote it, served as they do; afterwards the stream stays open. */
export function captured(name: string): StandIn {
  const body = readFileSync(new URL(`${name}.sse`, FOLDER))
  return {status: 200, contentType: 'text/event-stream; charset=utf-8', body, afterwards: 'stay'}
}

/** The captures as the answers of the first opens; every beat is taken. */
export function serveCaptures(...names: readonly string[]): Answer {
  return ({kind, n}) => {
    if (kind === 'beat')
      return {status: 200, contentType: 'application/json', body: '{"ok":true,"rooms":[],"cursor":99}'}
    const name = names[n - 1]
    return name === undefined ? {status: 503} : captured(name)
  }
}
