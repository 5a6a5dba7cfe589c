import {accessSync, constants, existsSync} from 'node:fs'
import {delimiter, join} from 'node:path'
import {chromium} from '@playwright/test'

const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']

/** The Chromium that tests run in, or `undefined`: the one asked for, then one on the PATH, then one Playwright fetched. */
export function findBrowser(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const asked = env['TIDEMARK_BROWSER']
  if (asked !== undefined && asked !== '') return asked
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '')
  const onPath = NAMES.flatMap((name) => folders.map((folder) => join(folder, name))).find(isExecutable)
  if (onPath !== undefined) return onPath
  const fetched = chromium.executablePath()
  return fetched !== '' && existsSync(fetched) ? fetched : undefined
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
