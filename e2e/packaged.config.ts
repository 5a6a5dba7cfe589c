import {join} from 'node:path'
import {defineConfig} from '@playwright/test'
import usual from './playwright.config.ts'

// The app as it was packed, started. A configuration of its own, because it has to be packed first: `npm run package:dir`.
export default defineConfig(usual, {
  testDir: join(import.meta.dirname, 'packaged'),
  projects: [{name: 'packed app'}],
})
