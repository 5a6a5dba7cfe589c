import {present} from '../../../shared/base/present.ts'
import type {NewSource} from '../../../shared/contract/contract.ts'
import type {PrimeDaemon, PrimeSession} from '../../../shared/contract/rows.ts'

const LONGEST_NAME = 100

/** What a session is called where it has no name of its own: the end of its folder, else the beginning of its id, else the end of its file. */
export function sessionTitle({name, cwd, sessionId = '', sessionFile = ''}: PrimeSession): string {
  const own = name?.trim() ?? ''
  if (own !== '') return own
  const folder = endOf(cwd ?? '')
  if (folder !== undefined) return `session in ${folder}`
  return `session ${sessionId.slice(0, 8) || (endOf(sessionFile) ?? '')}`
}

function endOf(path: string): string | undefined {
  return path.split(/[\\/]/).findLast((part) => part !== '')
}

export function newPrimeSource({socket}: PrimeDaemon, session: PrimeSession): NewSource {
  const {sessionId, sessionFile} = session
  const name = sessionTitle(session).slice(0, LONGEST_NAME).trim()
  return {name, settings: {kind: 'prime', socket, ...present({sessionId, sessionFile})}}
}

/** The daemons found, sessions or not, before those that are only looked for. */
export function foundFirst(daemons: readonly PrimeDaemon[]): readonly PrimeDaemon[] {
  const rank = ({state}: PrimeDaemon): number => (state === 'connected' ? 0 : 1)
  return [...daemons].sort((a, b) => rank(a) - rank(b))
}
