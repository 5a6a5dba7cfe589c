import {existsSync, rmSync} from 'node:fs'
import {join} from 'node:path'
import {fileURLToPath} from 'node:url'
import type {RetentionLimits} from '../../shared/history/retention.ts'
import {inOneLine} from '../../shared/words/explain.ts'
import {explainServingProblem} from '../../shared/words/explain-serving.ts'
import {explainStoreError} from '../../shared/words/explain-store-error.ts'
import type {ProfileError} from '../engine/open-profile.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import type {StoreError} from '../engine/store/store.ts'
import {hasDisplay} from './has-display.ts'
import {type Host, startHost} from './host.ts'
import {listenSomewhere} from './listen-somewhere.ts'
import {openHostProfile} from './open-host-profile.ts'
import {openInBrowser} from './open-in-browser.ts'
import {makeToken} from './token.ts'

export interface RunHostOptions {
  readonly profile?: string
  /** Asked for first; any free one where it is taken and was not asked for by the user. */
  readonly port?: number
  /** Start in the demo. */
  readonly demo: boolean
  /** Open the page in a browser, where a desktop is. */
  readonly browser: boolean
  /** Absolute path of the built page, where it is not this package's own. `elsewhere`: another server brings it to the browser. */
  readonly page?: string | 'elsewhere'
  /** How much history is kept. Absent: all of it. */
  readonly keep?: RetentionLimits
  /** One JSON object a line instead of sentences. */
  readonly json: boolean
  readonly version: string
}

const BUILT_PAGE = fileURLToPath(new URL('../../dist/renderer', import.meta.url))

/** Where a host says that it serves, and where what went wrong: a pipe holds only the first. */
export interface HostVoice {
  readonly say: (line: string) => void
  readonly complain: (line: string) => void
}

/** Host mode, from its start to the signal that ends it. Returns the exit code. */
export async function runHost(options: RunHostOptions, {say, complain}: HostVoice): Promise<number> {
  const page = options.page === undefined || options.page === 'elsewhere' ? BUILT_PAGE : options.page
  if (options.page !== 'elsewhere' && !existsSync(join(page, 'index.html'))) {
    complain(inOneLine(explainServingProblem({kind: 'noPage', folder: page})))
    return 1
  }
  const directory = profileDirectory(options.profile)
  const {version, keep} = options
  const onTrouble = (error: StoreError): void => complain(inOneLine(explainStoreError(error)))
  const profile = await openHostProfile({directory, version, ...(keep === undefined ? {} : {keep}), onTrouble})
  if (!profile.ok) return refused(profile.error, directory, complain)
  const token = makeToken()
  const host = await listenSomewhere(options.port, (port) => startHost(profile.value.engine, {port, token, page}))
  if (!host.ok) {
    complain(inOneLine(explainServingProblem(host.error)))
    await profile.value.close()
    return 1
  }
  profile.value.announce(host.value.url)
  if (options.demo) await profile.value.engine.handlers['demo.start']({})
  announce(host.value, options, directory, say)
  const {door} = profileFiles(directory)
  if (options.browser && hasDisplay(process.platform, process.env)) void show(host.value, door, complain)
  await untilSignal()
  rmSync(door, {force: true})
  await host.value.close()
  await profile.value.close()
  return 0
}

function announce(host: Host, options: RunHostOptions, directory: string, say: (line: string) => void): void {
  if (options.json) say(JSON.stringify({fact: 'serving', url: host.url, port: host.port, profile: directory}))
  else {
    say(`Open ${host.url}`)
    say(`Profile: ${directory}. Ctrl-C ends it; every position is kept.`)
  }
}

async function show({url}: Host, door: string, complain: (line: string) => void): Promise<void> {
  if (!(await openInBrowser(url, door))) complain('No browser could be opened; open the address by hand.')
}

function refused(error: ProfileError, directory: string, complain: (line: string) => void): number {
  if (error.kind !== 'owned') {
    complain(inOneLine(explainStoreError(error)))
    return 1
  }
  const {owner} = error
  const who =
    owner === undefined
      ? 'Another Tidemark'
      : `Another Tidemark (process ${owner.pid}, ${owner.mode} mode, since ${new Date(owner.since).toISOString()})`
  const where = owner?.url === undefined ? '' : ` It serves ${owner.url}`
  complain(`${who} already watches with the profile ${directory}.${where}`)
  complain(
    'Two would move one cursor, so this one ends. `tidemark sources`, `positions` and `gaps` can read beside it, or choose another --profile.',
  )
  return 1
}

/** Resolves at the first signal that asks for an end; a second one ends at once. */
function untilSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => resolve())
  })
}
