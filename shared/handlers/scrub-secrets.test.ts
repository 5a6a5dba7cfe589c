import fc from 'fast-check'
import {expect, test} from 'vitest'
import {HIDDEN, scrubSecrets} from './scrub-secrets.ts'

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
  ['in small digits ?k=a%2fb%c3%a9 d+e', ['a/b\u00e9 d e'], 'in small digits ?k=[secret]'],
  ['as ASCII only "ab\\u00e9cd"', ['ab\u00e9cd'], 'as ASCII only "[secret]"'],
  ['in hex 68756E7465723232 and 68756e7465723232', ['hunter22'], 'in hex [secret] and [secret]'],
  ['basic YWRhOmh1bnRlcjIy', ['hunter22'], 'basic YWRhO[secret]'], // of ada:hunter22: the character that holds bits of both goes too
  ['alone aHVudGVyMjI= and in url form aHVudGVyMjI.', ['hunter22'], 'alone [secret] and in url form [secret].'],
  ['with its end filled up: c2VjcmV0LTEyMzQ1Njc4OQ==', ['secret-123456789'], 'with its end filled up: [secret]'],
  ['ab_-cd of a longer one', ['ab_-cd', 'ab'], '[secret] of a longer one'],
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

test('in base64 nothing of a known secret is left, wherever it stands and whatever stands around it', () => {
  const bytes = fc.uint8Array({maxLength: 5})
  fc.assert(
    fc.property(bytes, fc.string({unit: 'grapheme', minLength: 9, maxLength: 20}), bytes, (before, known, after) => {
      const whole = Buffer.concat([before, Buffer.from(known), after])
      for (const encoding of ['base64', 'base64url'] as const) {
        const [head = '', tail = '', ...more] = scrubSecrets(whole.toString(encoding), [known]).split(HIDDEN)
        expect(more).toEqual([])
        expect(head.length).toBeLessThanOrEqual((before.length * 8) / 6)
        expect(tail.replaceAll('=', '').length).toBeLessThanOrEqual(Math.ceil((after.length * 8) / 6))
      }
    }),
  )
})

const PATIENT_MS = 60_000 // quadratic ones took many times as long as a loaded machine takes for a linear one

test.each(['a-', '-_', 'token-', 'token =', 'secret', 'bearer ', 'authorization: ', 'api_', '"password" '])(
  'a whole tail of %j is looked through at once',
  {timeout: PATIENT_MS},
  (part) => {
    const text = part.repeat(100_000)
    expect(scrubSecrets(text, ['a secret of some length', '%%%%%%%%', '\\\\\\\\\\\\']).length).toBeGreaterThan(0)
  },
)
