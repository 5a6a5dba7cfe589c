import {expect, test} from 'vitest'
import type {RequestError} from '../contract/contract.ts'
import {explainRequestError} from './explain-failure.ts'
import {explainStoreError, type StoreProblem} from './explain-store-error.ts'

type RefusedCode = Extract<RequestError, {kind: 'refused'}>['code']

const codes: {readonly [K in RefusedCode]: true} = {
  noSuchSource: true,
  noSuchFrame: true,
  noSuchGap: true,
  notHeld: true,
  paused: true,
  otherFrameHeld: true,
  numberingAnew: true,
  noNewNumbering: true,
  notNumbered: true,
  noDemo: true,
  readOnly: true,
  storeFailed: true,
  storeDamaged: true,
  demoFailed: true,
  noSecret: true,
  noSuchHandler: true,
  cannotTry: true,
  cannotWatch: true,
  otherStream: true,
  framesWait: true,
  watchedAlready: true,
  tokenOfAnother: true,
}

const stores: {readonly [K in StoreProblem]: true} = {
  full: true,
  readOnly: true,
  busy: true,
  corrupt: true,
  newerSchema: true,
  olderSchema: true,
  io: true,
  closed: true,
}

test('every request that fails has words of its own', () => {
  const errors: readonly RequestError[] = [
    {kind: 'unknownChannel', channel: 'x'},
    {kind: 'badInput', channel: 'x', problem: 'y'},
    {kind: 'failed', detail: 'y'},
    {kind: 'unreachable', detail: 'y'},
    ...(Object.keys(codes) as RefusedCode[]).map((code) => ({kind: 'refused' as const, code, detail: 'y'})),
  ]
  const titles = errors.map((error) => explainRequestError(error).title)
  expect(new Set(titles).size).toBe(titles.length)
})

test('what a refusal only names is not told as something that was said', () => {
  const refused = (code: RefusedCode, detail: string) => explainRequestError({kind: 'refused', code, detail})
  for (const code of ['numberingAnew', 'otherFrameHeld', 'noSuchFrame'] as const)
    expect(refused(code, '9')).not.toHaveProperty('said')
  expect(refused('demoFailed', 'EADDRINUSE')).toMatchObject({said: 'EADDRINUSE'})
})

test('every way in which a disk says no has words of its own', () => {
  const titles = (Object.keys(stores) as StoreProblem[]).map((kind) => explainStoreError({kind, detail: ''}).title)
  expect(new Set(titles).size).toBe(titles.length)
})

test('an answer that never came does not claim that nothing was done', () => {
  expect(explainRequestError({kind: 'unreachable', detail: 'timeout'}).detail).toContain('not known')
  expect(explainRequestError({kind: 'failed', detail: 'boom'}).detail).toContain('not known')
})
