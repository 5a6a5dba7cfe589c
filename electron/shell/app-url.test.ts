import {expect, test} from 'vitest'
import {isAppFrame} from './app-url.ts'

const page = {url: 'app://tidemark/index.html', parent: null}

test.each([
  ['our page', page, true],
  ['our page at a place in it', {url: 'app://tidemark/#source=a', parent: null}, true],
  ['no frame any more', null, false],
  ['our page inside another', {url: 'app://tidemark/', parent: page}, false],
  ['a page of another origin', {url: 'https://tidemark/', parent: null}, false],
  ['another host of our scheme', {url: 'app://tidemark.example/', parent: null}, false],
  ['a page that names ours', {url: 'https://example.com/app://tidemark/', parent: null}, false],
  ['an empty page', {url: 'about:blank', parent: null}, false],
])('%s: %o may ask: %s', (_what, frame, may) => expect(isAppFrame(frame)).toBe(may))
