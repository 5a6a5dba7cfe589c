import {expect, test} from 'vitest'
import type {HistoryView} from '../contract/contract.ts'
import {pairText, parseCursor} from '../cursor/cursor.ts'
import {explainHistoryEnd, explainHistoryRefusal, explainStreamTrial, explainTrialEnding} from './explain-stream.ts'

type Read = Extract<HistoryView, {kind: 'read'}>
type Message = Read['messages'][number]

const plain: Message = {event: 'event', summary: 'half tide', text: '{}', size: 2, notGreater: false}
const at = (generation: number, sequence: number): Message => ({...plain, cursor: {generation, sequence}})
const broken: Message = {...plain, summary: 'not JSON', problem: {kind: 'notJson', detail: ''}}
const read = (messages: readonly Message[], end: Read['end'] = 'quiet'): Read => ({kind: 'read', messages, end})

test('a trial says what was read, and from where to where', () => {
  expect(explainStreamTrial(read([at(1, 0), at(1, 1), at(2, 0)]), 'cursor')).toEqual({
    tone: 'well',
    words: ['Reached. Read 3 messages from {1, 0} to {2, 0}.'],
  })
  expect(explainStreamTrial(read([at(1, 0), plain], 'limit'), 'cursor').words).toEqual([
    'Reached. Read 1 message with cursor {1, 0}. There is more.',
    '1 without a cursor, taken to be about the connection.',
  ])
})

test.each([
  ['no message has a cursor there', read([plain, plain]), 'of 2 messages none has a cursor at “at.cursor”'],
  ['some cannot be read', read([at(1, 0), broken]), '1 that could not be read, the first because: not JSON.'],
  ['nothing came', read([]), 'nothing came for 4 s'],
  ['it ended at once', read([], 'ended'), 'ended at once'],
])('a trial is doubtful where %s', (_, view, words) => {
  const trial = explainStreamTrial(view, 'at.cursor')
  expect(trial.tone).toBe('doubtful')
  expect(trial.words.join(' ')).toContain(words)
})

test('a trial that failed promises nothing, and a question about the past moved nothing', () => {
  for (const kind of ['notReached', 'resumeRefused', 'futureCursor'] as const) {
    const trial = explainTrialEnding({kind, detail: 'as said'})
    expect(trial).toMatchObject({said: 'as said', detail: expect.stringContaining('Nothing was saved')})
    expect(`${trial.detail} ${trial.whatToDo}`).not.toMatch(/tries again|stopped/)
    const asked = explainHistoryRefusal({kind, detail: 'as said'}, parseCursor({generation: 9, sequence: 0}))
    expect(asked).toMatchObject({said: 'as said', detail: expect.stringContaining('neither used nor moved')})
    expect(`${asked.detail} ${asked.whatToDo}`).not.toMatch(/tries again|stopped/)
  }
})

test('how much of the past this is', () => {
  const from = parseCursor({generation: 5, sequence: 12})
  if (from === undefined) throw new Error('a cursor')
  expect(pairText(from)).toBe('{5, 12}')
  expect(explainHistoryEnd(read([at(5, 13)]), from)).toBe(
    '1 message after {5, 12}. Then nothing more came for a second.',
  )
  expect(explainHistoryEnd(read([at(5, 13), at(6, 0)], 'limit'), from)).toBe(
    'The first 2 messages after {5, 12}. There is more.',
  )
  expect(explainHistoryEnd(read([]), from)).toBe('Nothing came after {5, 12}: no message came for 4 s.')
  expect(explainHistoryEnd(read([], 'ended'), undefined)).toBe('The server holds nothing: the stream ended.')
})
