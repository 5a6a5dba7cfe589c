import {expect, test} from 'vitest'
import {cursor} from '../testing/cursors.ts'
import {resumeHeader, resumeLine, resumeQuery} from './resume-request.ts'

const held = {from: cursor({generation: 5, sequence: 0}), future: 'wait'} as const
const named = {from: cursor({generation: 'a"b', sequence: 7}), future: 'fail'} as const
const fresh = {future: 'fail'} as const

test('a line is JSON, with a cursor or without', () => {
  const template = '{"resume":{cursor},"g":{generation},"s":{sequence},"future":"{future}"}'
  const asked = [held, named, fresh].map((ask) => JSON.parse(resumeLine(template, ask)))
  expect(asked).toEqual([
    {resume: {generation: 5, sequence: 0}, g: 5, s: 0, future: 'wait'},
    {resume: {generation: 'a"b', sequence: 7}, g: 'a"b', s: 7, future: 'fail'},
    {resume: null, g: null, s: null, future: 'fail'},
  ])
})

test('parameters that name a cursor are left out where none is held', () => {
  const template = 'generation={generation}&sequence={sequence}&future={future}&all=1'
  expect(resumeQuery(template, held)).toEqual([
    ['generation', '5'],
    ['sequence', '0'],
    ['future', 'wait'],
    ['all', '1'],
  ])
  expect(resumeQuery(template, fresh)).toEqual([
    ['future', 'fail'],
    ['all', '1'],
  ])
  expect(resumeQuery('cursor={cursor}', named)).toEqual([['cursor', '{"generation":"a\\"b","sequence":7}']])
  expect(resumeQuery('generation={generation}', named)).toEqual([['generation', 'a"b']])
  expect(resumeQuery('', held)).toEqual([])
})

test('a header is sent where there is something to say', () => {
  expect(resumeHeader('{generation}:{sequence}', held)).toBe('5:0')
  expect(resumeHeader('{cursor}', fresh)).toBeUndefined()
  expect(resumeHeader('', held)).toBeUndefined()
})
