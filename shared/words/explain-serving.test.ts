import {expect, test} from 'vitest'
import {inOneLine} from './explain.ts'
import {explainServingProblem} from './explain-serving.ts'

test('a port that may not be used is not called taken', () => {
  const detail = 'listen EACCES: permission denied 127.0.0.1:80'
  const line = inOneLine(explainServingProblem({kind: 'cannotListen', port: 80, detail}))
  expect(line).toContain('Port 80 cannot be listened on')
  expect(line).toContain(detail)
  expect(line).not.toContain('taken')
})

test('where no port was asked for, none is named', () => {
  const line = inOneLine(explainServingProblem({kind: 'cannotListen', port: 0, detail: 'listen EADDRNOTAVAIL'}))
  expect(line).toMatch(/^No port can be listened on/)
})

test('a page that is not built is told with the command that builds it', () => {
  expect(inOneLine(explainServingProblem({kind: 'noPage', folder: '/somewhere'}))).toContain('npm run build')
})
