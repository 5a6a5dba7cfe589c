import {expect, test} from 'vitest'
import type {Transport} from '../shared/contract/client.ts'
import {markIdle} from './mark-idle.ts'

function scene() {
  const shown: boolean[] = []
  const quiet: Array<() => void> = []
  const answers: Array<(result: unknown) => void> = []
  const transport: Transport = {
    request: () => new Promise((resolve) => answers.push(resolve)),
    subscribe: () => () => {},
  }
  const {request} = markIdle(transport, {
    later: (_ms, run) => quiet.push(run),
    afterPaint: (run) => run(),
    show: (idle) => shown.push(idle),
  })
  return {
    request,
    answer: (n: number) => answers[n]?.({}),
    pass: () => {
      for (const run of quiet.splice(0)) run()
    },
    idle: () => shown.at(-1),
  }
}

test('the page is idle once every question is answered and a moment passed', async () => {
  const {request, answer, pass, idle} = scene()
  const [one, two] = [request('app.info', {}), request('sources.list', {})]
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

test('a question in the meantime begins the moment anew', async () => {
  const {request, answer, pass, idle} = scene()
  const one = request('app.info', {})
  answer(0)
  await one
  const two = request('app.info', {})
  pass()
  expect(idle()).toBe(false)
  answer(1)
  await two
  pass()
  expect(idle()).toBe(true)
})

test('a question that fails is over too', async () => {
  const shown: boolean[] = []
  const refusing: Transport = {request: () => Promise.reject(new Error('not connected')), subscribe: () => () => {}}
  const marked = markIdle(refusing, {
    later: (_ms, run) => run(),
    afterPaint: (run) => run(),
    show: (is) => shown.push(is),
  })
  await expect(marked.request('app.info', {})).rejects.toThrow('not connected')
  expect(shown).toEqual([false, true])
})
