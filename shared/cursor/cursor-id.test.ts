import fc from 'fast-check'
import {expect, test} from 'vitest'
import {resumeHeader} from '../source/resume-request.ts'
import {type Cursor, parseCursor} from './cursor.ts'
import {cursorOfId, ID_FORMS, idOfCursor, idTemplate} from './cursor-id.ts'

const number = fc.oneof(fc.nat(), fc.maxSafeNat())
const cursors = fc
  .record({generation: number, sequence: number})
  .map((value): Cursor => parseCursor(value) ?? expect.fail(`no cursor: ${JSON.stringify(value)}`))
const form = fc.constantFrom(...ID_FORMS)

test('an id is read as the cursor it was written from, and only in its own form', () => {
  fc.assert(
    fc.property(cursors, form, form, (cursor, written, read) => {
      const id = idOfCursor(cursor, written)
      expect(cursorOfId(id, read)).toEqual(written === read ? cursor : undefined)
    }),
  )
})

test('what asks for more sends back the very id that came', () => {
  fc.assert(
    fc.property(cursors, form, (from, one) => {
      expect(resumeHeader(idTemplate(one), {from, future: 'fail'})).toBe(idOfCursor(from, one))
    }),
  )
})

test('no text breaks it, and what reads is written back as it was', () => {
  const text = fc.oneof(fc.string(), fc.stringMatching(/^[-0-9:/. e+]*$/))
  fc.assert(
    fc.property(text, fc.constantFrom('G:S', 'G-S', 'G/S'), (id, one) => {
      const cursor = cursorOfId(id, one)
      if (cursor !== undefined) expect(idOfCursor(cursor, one)).toBe(id)
    }),
  )
})

test.each([
  ['5:12', 'G:S', {generation: 5, sequence: 12}],
  ['5-12', 'G-S', {generation: 5, sequence: 12}],
  ['5/12', 'G/S', {generation: 5, sequence: 12}],
  ['{"sequence": 12, "generation": 5, "more": 1}', 'json', {generation: 5, sequence: 12}],
  ['5:', 'G:S', undefined],
  [':12', 'G:S', undefined],
  ['5:12:1', 'G:S', undefined],
  ['5: 12', 'G:S', undefined],
  ['05:12', 'G:S', undefined],
  ['-5-12', 'G-S', undefined],
  ['5:1e3', 'G:S', undefined],
  ['5:9007199254740993', 'G:S', undefined],
  ['12', 'json', undefined],
] as const)('the id %j as %s', (id, one, cursor) => {
  expect(cursorOfId(id, one)).toEqual(cursor)
})
