import {expect, test} from 'vitest'
import {isJsonObject, type JsonObject, parseJson} from '../../../shared/base/json.ts'
import type {Entry} from './numbered-log.ts'
import type {NumberedAction, NumberedScenario} from './scenario.ts'
import {createStage, type Output, type ReaderId, type Stage, type StageSetup} from './stage.ts'
import {cursorVectors} from './testing/vectors.ts'

const STILL: NumberedScenario = {name: 'still', about: '', steps: []}

function stageOf(more: Partial<StageSetup> = {}): Stage {
  const stage = createStage({scenario: STILL, stored: [], future: 'fail', place: ['cursor'], epochOffset: 0, ...more})
  stage.tick(0)
  return stage
}

function sentTo(reader: ReaderId, outputs: readonly Output[]): readonly JsonObject[] {
  return outputs
    .flatMap((output) => (output.kind === 'send' && output.reader === reader ? [parseJson(output.text)] : []))
    .filter(isJsonObject)
}

function enter(stage: Stage, reader: ReaderId, ask: Parameters<Stage['open']>[1]) {
  const opened = stage.open(reader, ask)
  if (!opened.ok) throw new Error(opened.error.message)
  return sentTo(reader, opened.value)
}

const cursors = (messages: readonly JsonObject[]) => messages.map(({cursor}) => cursor)
const say: NumberedAction = {kind: 'event', event: {kind: 'note'}}
const snap: NumberedAction = {kind: 'snapshot', reason: 'checkpoint'}
const at = (generation: number, sequence: number) => ({generation, sequence})
const all = {from: undefined, future: undefined}

const stored = (log: readonly Entry['cursor'][]) =>
  log.map((cursor): Entry => ({type: 'event', cursor, at: '', body: {}}))

test.each(cursorVectors().resume)('$n: $title', ({log, cursor, delivered, future = false}) => {
  const stage = stageOf({stored: stored(log)})
  const opened = stage.open(1, {from: cursor ?? undefined, future: undefined})
  expect(opened.ok).toBe(!future)
  if (opened.ok) expect(cursors(sentTo(1, opened.value))).toEqual(delivered)
  else expect(opened.error).toMatchObject({code: 'future_cursor', head: log.at(-1)})
})

test('a new store begins with a snapshot at {1, 0}, and each one begins a generation', () => {
  const stage = stageOf()
  for (const action of [say, say, snap, say]) stage.act(0, action)
  const seen = enter(stage, 1, all)
  expect(cursors(seen)).toEqual([at(1, 0), at(1, 1), at(1, 2), at(2, 0), at(2, 1)])
  expect(seen.map(({type}) => type)).toEqual(['snapshot', 'event', 'event', 'snapshot', 'event'])
})

test('what is new goes to everybody who has less, after it is stored', () => {
  const stage = stageOf()
  enter(stage, 1, all)
  enter(stage, 2, {from: 'head', future: undefined})
  enter(stage, 3, {from: at(1, 2), future: 'wait'})
  const outputs = stage.act(0, say)
  expect(outputs.map(({kind}) => kind)).toEqual(['store', 'send', 'send'])
  // What a reader waits for is what comes behind its cursor.
  expect(sentTo(3, stage.act(0, say))).toEqual([])
  expect(cursors(sentTo(3, stage.act(0, say)))).toEqual([at(1, 3)])
})

test('a cursor ahead of everything: refused, waits, or is not trusted, as was said', () => {
  const ahead = {from: at(9, 0), future: undefined}
  expect(stageOf().open(1, ahead)).toMatchObject({ok: false, error: {head: at(1, 0)}})
  expect(cursors(enter(stageOf({future: 'wait'}), 1, ahead))).toEqual([])
  expect(cursors(enter(stageOf({future: 'all'}), 1, ahead))).toEqual([at(1, 0)])
  expect(cursors(enter(stageOf({future: 'fail'}), 1, {...ahead, future: 'wait'}))).toEqual([])
})

test('with its store, a restart goes on counting; without, it begins at {1, 0} again', () => {
  const stage = stageOf()
  for (const action of [snap, say, snap, say]) stage.act(0, action)
  enter(stage, 1, all)
  expect(stage.act(0, {kind: 'restart', store: 'kept'})).toEqual([{kind: 'end', reader: 1}])
  stage.act(0, say)
  expect(stage.head()).toEqual(at(3, 2))
  const lost = stage.act(0, {kind: 'restart', store: 'lost'})
  expect(lost.map(({kind}) => kind)).toEqual(['forget', 'store'])
  expect(cursors(enter(stage, 2, all))).toEqual([at(1, 0)])
})

test.each([
  [['cursor'], {cursor: at(1, 0)}],
  [['meta', 'cursor'], {meta: {cursor: at(1, 0)}}],
  [[], at(1, 0)],
])('the cursor stands at %j where it is told to', (place, expected) => {
  expect(enter(stageOf({place}), 1, all)[0]).toMatchObject({type: 'snapshot', ...expected})
})

test('numbers and generations can be left out', () => {
  const stage = stageOf()
  enter(stage, 1, all)
  const actions: readonly NumberedAction[] = [{kind: 'skip', events: 3}, say, {kind: 'skipGenerations', count: 2}, snap]
  expect(
    cursors(
      sentTo(
        1,
        actions.flatMap((action) => stage.act(0, action)),
      ),
    ),
  ).toEqual([at(1, 4), at(4, 0)])
})

test.each([
  ['garbage', undefined],
  ['missingCursor', undefined],
  ['wrongTypes', {generation: 2, sequence: '2'}],
  ['fractional', {generation: 2, sequence: 1.5}],
  ['duplicate', at(2, 1)],
  ['stale', at(1, 0)],
  ['opaque', {generation: 'g2', sequence: 2}],
] as const)('a bad message: %s', (what, expected) => {
  const stage = stageOf()
  for (const action of [snap, say]) stage.act(0, action)
  enter(stage, 1, all)
  const [output] = stage.act(0, {kind: 'bad', what})
  const parsed = output?.kind === 'raw' ? parseJson(output.text) : undefined
  expect(isJsonObject(parsed) ? parsed['cursor'] : undefined).toEqual(expected)
  expect(cursors(sentTo(1, stage.act(0, say)))).toEqual([at(2, 2)])
})

test('a scenario waits for a reader', () => {
  const stage = stageOf({scenario: {...STILL, steps: [{afterMs: 100, do: say}]}})
  expect(stage.nextDue(0)).toBe(Number.POSITIVE_INFINITY)
  enter(stage, 1, all)
  expect(stage.nextDue(50)).toBe(150)
  expect(cursors(sentTo(1, stage.tick(150)))).toEqual([at(1, 1)])
})
