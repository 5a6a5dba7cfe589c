import {expect, test} from 'vitest'
import {type Handler, USUAL_HANDLER} from '../handlers/handler.ts'
import {handlerFile, handlerList} from './handlers.ts'

const webhook: Handler = {
  id: 'a',
  name: 'a',
  rule: {},
  ...USUAL_HANDLER,
  action: {kind: 'webhook', url: 'https://a.b/c?d=e'},
}
const command: Handler = {
  ...webhook,
  id: 'b',
  action: {kind: 'command', argv: ['make', ''], cwd: '/work', env: [['X', '1']], hasSecret: false},
}

test('a list comes in as it was sent, in its order', () => {
  expect(handlerList.parse([command, webhook])).toEqual([command, webhook])
})

const refused: ReadonlyArray<[what: string, list: readonly unknown[]]> = [
  ['two of one id', [webhook, {...command, id: 'a'}]],
  ['no program', [{...command, action: {...command.action, argv: []}}]],
  ['an argument with a NUL', [{...command, action: {...command.action, argv: ['a\0b']}}]],
  ['a variable that is no name', [{...command, action: {...command.action, env: [['A=B', '1']]}}]],
  ['a password in an address', [{...webhook, action: {kind: 'webhook', url: 'https://u:p@a.b/'}}]],
  ['another protocol', [{...webhook, action: {kind: 'webhook', url: 'file:///etc/passwd'}}]],
  ['a secret beside the address', [{...webhook, action: {...webhook.action, secret: 'x'}}]],
  ['a deadline of nothing', [{...webhook, deadlineMs: 0}]],
  ['no attempt at all', [{...webhook, attempts: 0}]],
  ['a rule that knows more', [{...webhook, rule: {lane: 'x'}}]],
  ['a rule that chooses nothing', [{...webhook, rule: {rooms: []}}]],
  ['a kind that is not known', [{...webhook, action: {kind: 'email'}}]],
  ['too many', Array.from({length: 21}, (_, n) => ({...webhook, id: String(n)}))],
]
test.each(refused)('a list with %s does not come in', (_what, list) => {
  expect(handlerList.safeParse(list).success).toBe(false)
})

test('a file may leave out what is usual, and nothing else', () => {
  const written = {name: 'tell', action: {kind: 'command', argv: ['make']}}
  const whole = {
    ...command,
    id: 'tell',
    name: 'tell',
    action: {kind: 'command', argv: ['make'], env: [], hasSecret: false},
  }
  expect(handlerFile.parse({handlers: [written]})).toEqual({handlers: [whole]})
  expect(handlerFile.parse({handlers: [command, webhook], secrets: [['a', 'k']]})).toEqual({
    handlers: [command, webhook],
    secrets: [['a', 'k']],
  })
  for (const list of [undefined, 'all', [1], [{name: 'tell'}], [{...written, argv: []}]])
    expect(handlerFile.safeParse({handlers: list}).success).toBe(false)
})
