import {mkdirSync} from 'node:fs'
import {join, resolve} from 'node:path'
import envPaths from 'env-paths'

/** The folder that holds one profile: the one the user named, else the place the system keeps applications' data in. */
export function profileDirectory(named?: string): string {
  return named === undefined ? envPaths('tidemark', {suffix: ''}).data : resolve(named)
}

/** Every file of a profile, by what is in it. */
export interface ProfileFiles {
  /** Cursors, journal, history. SQLite keeps `-wal` and `-shm` beside it while it is open. */
  readonly store: string
  /** Agents' tokens, where no keychain holds them. */
  readonly tokens: string
  /** Agents' tokens, encrypted with a key that the system's keychain holds. */
  readonly sealedTokens: string
  /** Of Prime daemons that the user named, beside the default one. */
  readonly daemonSockets: string
  /** What the demo's numbered server keeps of its snapshots. Deleting it is losing them, which that demo is there to show. */
  readonly demoSnapshots: string
  /** A folder, in which the demo's daemon listens while it runs. */
  readonly demoSockets: string
  /** Empty; whoever holds its lock owns the profile. */
  readonly lock: string
  /** Who that is, in words for a second process. */
  readonly owner: string
  /** Leads a browser to the page of a running host, with its secret: for this user only, and only while it runs. */
  readonly door: string
  /** Where the desktop window was. */
  readonly window: string
  /** A folder, in which the desktop window's Chromium keeps what it needs. */
  readonly browser: string
  /** Which commands run, for a next start that has to end what a killed one left. Only while one runs. */
  readonly running: string
}

export function profileFiles(directory: string): ProfileFiles {
  return {
    store: join(directory, 'tidemark.db'),
    tokens: join(directory, 'tokens.json'),
    sealedTokens: join(directory, 'tokens.sealed.json'),
    daemonSockets: join(directory, 'daemon-sockets.json'),
    demoSnapshots: join(directory, 'demo-snapshots'),
    demoSockets: directory,
    lock: join(directory, 'lock.db'),
    owner: join(directory, 'owner.json'),
    door: join(directory, 'open.html'),
    window: join(directory, 'window.json'),
    browser: join(directory, 'browser'),
    running: join(directory, 'running.json'),
  }
}

/** For this user only: frames are conversations, and tokens may lie beside them. */
export function makeProfileDirectory(directory: string): void {
  mkdirSync(directory, {recursive: true, mode: 0o700})
}
