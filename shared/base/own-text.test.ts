import fc from 'fast-check'
import {test} from 'vitest'
import {ownText} from './own-text.ts'

test('is the same text', () => {
  fc.assert(fc.property(fc.string({unit: 'binary'}), (text) => ownText(text) === text))
})
