import {renderToStaticMarkup} from 'react-dom/server'
import {expect, test} from 'vitest'
import {AgentTokenEffects} from './side-effects.tsx'

test('rooms that another session covers are not claimed to be told apart from quiet ones', () => {
  const words = renderToStaticMarkup(<AgentTokenEffects />)
  expect(words).toContain('Such rooms look quiet here; Tidemark cannot tell.')
  expect(words).not.toContain('shown as unknown')
})
