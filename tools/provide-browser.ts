import {existsSync} from 'node:fs'
import {findBrowser} from './find-browser.ts'
import {runStep} from './run-step.ts'

/** Finds a Chromium, or installs Debian's where that is possible; `undefined` where it is not, having said what to do. */
export async function provideBrowser(): Promise<string | undefined> {
  const found = findBrowser(process.env)
  if (found !== undefined) {
    if (existsSync(found)) return found
    console.error(`TIDEMARK_BROWSER names ${found}, and there is no such file.`)
    return undefined
  }
  if (existsSync('/usr/bin/apt-get') && process.getuid?.() === 0) {
    console.log('No Chromium here: installing the system’s with apt-get, once (about a minute).')
    const env = {DEBIAN_FRONTEND: 'noninteractive'}
    await runStep({name: 'update', command: 'apt-get', args: ['update', '-q'], env}, 'live')
    const args = ['install', '-y', '-q', '--no-install-recommends', 'chromium']
    await runStep({name: 'install', command: 'apt-get', args, env}, 'live')
    const installed = findBrowser(process.env)
    if (installed !== undefined) return installed
  }
  console.error(
    'No Chromium was found and none could be installed, so the tests in a browser cannot run.\n' +
      'Install one (Debian: `sudo apt-get install chromium`; elsewhere: `npx playwright install chromium`),\n' +
      'or name one in TIDEMARK_BROWSER.',
  )
  return undefined
}
