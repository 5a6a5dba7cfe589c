import {defineConfig} from '@playwright/test'
import type {Options} from './fixtures.ts'
import usual from './playwright.config.ts'

// The same specs on the real Electron, where its binary and a display are. A configuration of its own, so that nobody asks
// for it by accident: a run that finds no Electron has tested nothing.
export default defineConfig<Options>(usual, {
  projects: [
    {
      name: 'Electron',
      testIgnore: ['host/**', 'packaged/**', 'desktop/stand-in.spec.ts'],
      use: {shell: 'desktop', dist: undefined},
    },
  ],
})
