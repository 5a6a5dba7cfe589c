import fc from 'fast-check'
import {expect, test} from 'vitest'
import {scrubSecrets} from './scrub-secrets.ts'

const cases: ReadonlyArray<[text: string, known: readonly string[], scrubbed: string]> = [
  ['key hunter22 used twice: hunter22', ['hunter22'], 'key [secret] used twice: [secret]'],
  ['as JSON "a\\"bcd"', ['a"bcd'], 'as JSON "[secret]"'],
  ['in an address ?k=a%26bcd', ['a&bcd'], 'in an address ?k=[secret]'],
  ['the longer one first: secret-long', ['secret', 'secret-long'], 'the longer one first: [secret]'],
  ['too short to be looked for: abc', ['abc'], 'too short to be looked for: abc'],
  ['Authorization: Bearer abc.def', [], 'Authorization: Bearer [secret]'],
  ['OPENAI_API_KEY=sk-123 next', [], 'OPENAI_API_KEY=[secret] next'],
  ['{"password": "hunter2", "user": "ada"}', [], '{"password": "[secret]", "user": "ada"}'],
  ['my tokens are many', [], 'my tokens are many'],
]
test.each(cases)('%s', (text, known, scrubbed) => expect(scrubSecrets(text, known)).toBe(scrubbed))

test('no known secret is left, wherever it stands', () => {
  const secret = fc.string({minLength: 6, maxLength: 12})
  fc.assert(
    fc.property(fc.string(), secret, fc.string(), (before, known, after) => {
      fc.pre(!'[secret]'.includes(known))
      const left = scrubSecrets(before + known + after, [known]).split('[secret]')
      expect(left.some((part) => part.includes(known))).toBe(false)
    }),
  )
})
