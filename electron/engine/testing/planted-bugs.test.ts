import {readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {ALL_BUGS} from './planted-bugs.ts'

const ROOT = join(import.meta.dirname, '..', '..', '..')

/* Said at once, and not only when the long proofs run: whoever changes a line that a bug is planted in moves the bug along. */
test.each(ALL_BUGS)('the bug "$name" can be planted in the source as it stands', ({patches}) => {
  const unfit = patches.filter(({file, find}) => readFileSync(join(ROOT, file), 'utf8').split(find).length !== 2)
  expect(unfit).toEqual([])
})
