import {expect, test} from 'vitest'
import type {Transport} from '../shared/contract/client.ts'
import {markIdle} from './mark-idle.ts'

function scene() {
  const shown: boolean[] = []
  const quiet: Array<() => void> = []
  const answers: Array<(result: unknown) => void> = []
  let onBatch: (batch: unknown) => void = () => {}
  const transport: Transport = {
    request: () => new Promise((resolve) => answers.push(resolve)),
    subscribe: (listener) => {
      onBatch = listener
      return () => {}
    },
  }
  const marked = markIdle(transport, {
    later: (_ms, run) => quiet.push(run),
    afterPaint: (run) => run(),
    show: (idle) => shown.push(idle),
  })
  return {
    marked,
    answer: (n: number) => answers[n]?.({}),
    change: () => onBatch({}),
    pass: () => {
      for (const run of quiet.splice(0)) run()
    },
    idle: () => shown.at(-1),
  }
}

test('the page is idle once every question is answered and a moment passed', async () => {
  const {marked, answer, pass, idle} = scene()
  const [one, two] = [marked.request('app.info', {}), marked.request('sources.list', {})]
  answer(0)
  await one
  pass()
  expect(idle()).toBe(false)
  answer(1)
  await two
  expect(idle()).toBe(false)
  pass()
  expect(idle()).toBe(true)
})

test('what comes in the meantime begins the moment anew', () => {
  const {marked, change, pass, idle} = scene()
  marked.subscribe(() => {})
  change()
  expect(idle()).toBe(false)
  pass()
  expect(idle()).toBe(true)
  change()
  expect(idle()).toBe(false)
})

test('a question that fails is over too', async () => {
  const shown: boolean[] = []
  const quiet: Array<() => void> = []
  const refusing: Transport = {request: () => Promise.reject(new Error('not connected')), subscribe: () => () => {}}
  const marked = markIdle(refusing, {
    later: (_ms, run) => quiet.push(run),
    afterPaint: (run) => run(),
    show: (is) => shown.push(is),
  })
  await expect(marked.request('app.info', {})).rejects.toThrow('not connected')
  for (const run of quiet) run()
  expect(shown).toEqual([false, true])
})
