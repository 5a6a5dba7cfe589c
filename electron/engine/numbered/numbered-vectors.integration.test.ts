import {readFileSync, writeFileSync} from 'node:fs'
import {createServer} from 'node:net'
import {join} from 'node:path'
import {expect, onTestFinished, test} from 'vitest'
import {type Cursor, type Generation, parseCursor} from '../../../shared/cursor/cursor.ts'
import {positionOfCursor} from '../../../shared/cursor/cursor-position.ts'
import type {Change} from '../../../shared/history/change.ts'
import {NOWHERE, stepsFor} from '../../../shared/position/position.ts'
import {systemClock} from '../clock.ts'
import {createMemoryStore} from '../store/memory-store.ts'
import type {Store} from '../store/store.ts'
import {leftOpen, temporaryFolder} from '../testing/temporary-folder.ts'
import {linesOf, NUMBERED_SOURCE, type WatchedNumbered, watchNumbered} from '../testing/watch-numbered.ts'
import {numberedTransports} from './open-numbered.ts'
import {readHistory} from './read-history.ts'

interface Admitted {
  readonly n: string
  readonly title: string
  readonly held: object | null
  readonly retired: readonly Generation[]
  readonly newConnection?: boolean
  readonly takeBaseline?: boolean
  readonly steps: readonly {
    readonly incoming: object
    readonly expect: string
    readonly missing?: number
    readonly missingGenerations?: number
  }[]
  readonly heldAfter: object
  readonly retiredAfter: readonly Generation[]
}
interface Resumed {
  readonly n: string
  readonly title: string
  readonly log: readonly object[]
  readonly cursor: object | null
  readonly delivered: readonly object[]
  readonly future?: boolean
}
const vectors: {readonly admit: readonly Admitted[]; readonly resume: readonly Resumed[]} = JSON.parse(
  readFileSync(new URL('../../../fixtures/cursor-vectors.json', import.meta.url), 'utf8'),
)

function cursor(value: object): Cursor {
  const parsed = parseCursor(value)
  if (parsed === undefined) throw new Error(`no cursor: ${JSON.stringify(value)}`)
  return parsed
}

/** A server that sends every reader the same lines and leaves it connected. */
async function serveLines(lines: readonly string[]): Promise<string> {
  const path = join(temporaryFolder(), 'lines.sock')
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.write(lines.map((line) => `${line}\n`).join(''))
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  onTestFinished(() => void server.close())
  return path
}

function lineOf(incoming: object): string {
  return JSON.stringify({type: 'event', cursor: incoming})
}

async function seeded({held, retired}: Admitted, path: string): Promise<Store> {
  const store = createMemoryStore()
  const at = systemClock().now()
  const settings = {kind: 'numbered', from: linesOf(path), cursorAt: 'cursor', typeAt: 'type', future: 'fail'} as const
  const record = {id: NUMBERED_SOURCE, name: 'watched', settings, connectionId: 'none', addedAt: at, paused: false}
  const changes: Change[] = [{kind: 'sourceAdded', source: record}]
  if (held !== null) {
    const steps = stepsFor(NOWHERE, false, {kind: 'replacement', resumed: positionOfCursor(cursor(held))})
    changes.push({kind: 'cursorMoved', move: {source: NUMBERED_SOURCE, at, cause: 'imported', steps}})
  }
  for (const generation of retired) changes.push({kind: 'generationRetired', source: NUMBERED_SOURCE, generation, at})
  await store.commit(changes)
  return store
}

const OUTCOMES: Readonly<Record<string, string>> = {duplicate: 'duplicate', stale: 'stale', numberingReset: 'pending'}

function outcomes({store: {frames}}: WatchedNumbered): readonly string[] {
  return [...frames.values()].map((frame) => frame.outcomes.at(-1) ?? '')
}

test.each(vectors.admit.map((vector) => [vector.n, vector.title, vector] as const))(
  '%s %s',
  async (_n, _title, vector) => {
    // A connection whose first number is the held one again is no new one for what comes behind.
    const opener = vector.held !== null && vector.newConnection !== true ? [lineOf(vector.held)] : []
    const path = await serveLines([...opener, ...vector.steps.map(({incoming}) => lineOf(incoming))])
    const store = await seeded(vector, path)
    const watched = await watchNumbered({from: linesOf(path), store: leftOpen(store)})
    const isHeld = vector.steps[0]?.expect === 'numberingReset'
    const [first] = vector.steps
    if (isHeld) await watched.until(() => watched.state() === 'held', 'held for the user')
    if (isHeld && vector.takeBaseline === true) {
      const {connection} = await watched.view()
      await watched.engine.handlers['sources.takeNumbering']({source: watched.source, frame: connection.frame ?? -1})
      // This server replays nothing, so the first number comes once more: a duplicate of the one that was taken.
      await watched.until(() => outcomes(watched).length === vector.steps.length + 1, 'everything')
      expect(outcomes(watched)[0]).toBe('handled')
      expect(outcomes(watched).slice(1)).toEqual(['duplicate', ...expected(vector.steps.slice(1))])
    } else {
      const count = isHeld ? 1 : opener.length + vector.steps.length
      await watched.until(() => outcomes(watched).length === count, 'everything')
      expect(outcomes(watched).slice(opener.length)).toEqual(expected(isHeld && first ? [first] : vector.steps))
    }
    expect(watched.store.position()).toEqual(positionOfCursor(cursor(vector.heldAfter)))
    const holes = watched.store.changes.flatMap((change) => (change.kind === 'holeSeen' ? [change.hole] : []))
    const missing = vector.steps.filter((step) => step.missing !== undefined || step.missingGenerations !== undefined)
    expect(holes.map((hole) => [hole.missing, hole.missingGenerations])).toEqual(
      missing.map((step) => [step.missing ?? 0, step.missingGenerations]),
    )
    await watched.close()
    const [stored] = (await store.load()).sources
    expect(stored?.retired).toEqual(vector.retiredAfter)
  },
)

function expected(steps: Admitted['steps']): readonly string[] {
  return steps.map((step) => OUTCOMES[step.expect] ?? 'handled')
}

test.each(vectors.resume.map((vector) => [vector.n, vector.title, vector] as const))(
  '%s %s',
  async (_n, _title, vector) => {
    const path = join(temporaryFolder(), 'log.jsonl')
    writeFileSync(path, vector.log.map((one) => `${lineOf(one)}\n`).join(''))
    const settings = {
      kind: 'numbered',
      from: {over: 'file', path},
      cursorAt: 'cursor',
      typeAt: 'type',
      future: 'wait',
    } as const
    const clock = systemClock()
    const from = vector.cursor === null ? undefined : cursor(vector.cursor)
    const view = await readHistory({settings, open: numberedTransports(clock), clock}, from, vector.log.length)
    if (vector.future === true) expect(view).toMatchObject({kind: 'refused', because: {kind: 'futureCursor'}})
    else if (view.kind === 'read') expect(view.messages.map((message) => message.cursor)).toEqual(vector.delivered)
    else expect.fail(JSON.stringify(view))
  },
)
