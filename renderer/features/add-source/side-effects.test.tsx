import {renderToStaticMarkup} from 'react-dom/server'
import {expect, test} from 'vitest'
import {AgentTokenEffects, WatchingEffects, WatchingInShort} from './side-effects.tsx'

test('rooms that another session covers are not claimed to be told apart from quiet ones', () => {
  const words = renderToStaticMarkup(<AgentTokenEffects />)
  expect(words).toContain('Such rooms look quiet here; Tidemark cannot tell.')
  expect(words).not.toContain('shown as unknown')
})

test('what watching a Prime session does is said in short and in full', () => {
  for (const words of [renderToStaticMarkup(<WatchingEffects />), renderToStaticMarkup(<WatchingInShort />)])
    for (const part of ['one attached client more', '15', 'idle']) expect(words).toContain(part)
})
