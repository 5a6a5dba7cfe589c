import type {PrimeDaemon} from '../../shared/contract/rows.ts'
import {sessionName} from '../../shared/sessions/session-key.ts'
import {systemClock} from '../engine/clock.ts'
import {watchDaemon} from '../engine/prime/daemon-watch.ts'
import {defaultSocket} from '../engine/prime/default-socket.ts'
import {socketListIn} from '../engine/prime/socket-list.ts'
import {socketTransport} from '../engine/prime/socket-transport.ts'
import {profileDirectory, profileFiles} from '../engine/store/profile.ts'
import {EXIT} from './exit-codes.ts'
import {isoTime, type Output, printable, table} from './output.ts'

export interface DiscoverArguments {
  readonly profile?: string
  readonly json?: boolean
}

/** A hung worker delays a list by 10 s. In ms. */
const PATIENCE_MS = 20_000

/** `tidemark sources --discover`: the daemons behind the default socket and those that the profile names, asked once. */
export async function discoverDaemons({profile, json}: DiscoverArguments, output: Output): Promise<number> {
  const named = await socketListIn(profileFiles(profileDirectory(profile)).daemonSockets).load()
  const daemons = await Promise.all([...new Set([defaultSocket(), ...named])].map(askOnce))
  for (const daemon of daemons) {
    if (json === true) await output.line(JSON.stringify(jsonOf(daemon)))
    else for (const line of linesOf(daemon)) await output.line(printable(line))
  }
  return EXIT.ok
}

async function askOnce(socket: string): Promise<PrimeDaemon> {
  const clock = systemClock()
  const over = new AbortController()
  const watch = watchDaemon(socket, {transport: socketTransport(clock), clock, onChange: () => {}})
  void clock.wait(PATIENCE_MS, over.signal).then(() => over.abort())
  while (!over.signal.aborted && !isTold(watch.view())) await watch.changed(over.signal)
  over.abort()
  await watch.close()
  return watch.view()
}

function isTold({state, listedAt}: PrimeDaemon): boolean {
  return state !== 'looking' && (state !== 'connected' || listedAt !== undefined)
}

function jsonOf({listedAt, ...daemon}: PrimeDaemon) {
  return listedAt === undefined ? daemon : {...daemon, listedAt: isoTime(listedAt)}
}

const COLUMNS = ['SESSION', 'NAME', 'STATE', 'MODEL', 'FOLDER', 'CLIENTS', 'ID']

function linesOf({socket, state, detail, appVersion, sessions}: PrimeDaemon): readonly string[] {
  const about = [state, appVersion, detail].filter((one) => one !== undefined).join(', ')
  if (sessions.length === 0) return [`${socket}: ${about}${state === 'connected' ? ', no session' : ''}`]
  const cells = sessions.map((one) => [
    one.activeSessionId,
    one.name ?? '',
    one.subagent ? `${one.state} (subagent)` : one.state,
    one.model ?? '',
    one.cwd ?? '',
    one.attachedClients === undefined ? 'unknown' : String(one.attachedClients),
    sessionName(one),
  ])
  return [`${socket}: ${about}`, ...table(COLUMNS, cells)]
}
