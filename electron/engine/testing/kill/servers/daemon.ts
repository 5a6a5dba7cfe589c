import {mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {PrimeScenario} from '../../../../demo/prime/scenario.ts'
import {bash, MAIN, MAIN_SESSION, turn} from '../../../../demo/prime/script.ts'
import {COMPILED} from '../../compiled.ts'
import type {KeptProfile} from '../check-profile.ts'
import {handledTwice, misled, steppedOver} from '../cursor-rules.ts'
import {nameOfMessage} from '../frame-names.ts'
import {type KilledServer, keepAlive} from './killed-server.ts'
import {startMortal} from './mortal.ts'
import {linesOf, type Passage, startRelay} from './relay.ts'
import type {Server} from './server.ts'

/** A session that works without end. */
const BUSY: PrimeScenario = {
  name: 'busy',
  about: 'turns and commands, over and over',
  sessions: [MAIN_SESSION],
  steps: [
    ...turn(200, MAIN, {ask: 'are you there?', think: 'A short question.', say: 'I am here, and so is the tide.'}),
    ...bash(100, MAIN),
  ],
  loopFrom: 0,
}

/** A demo daemon that dies as often as it is told to. Each of its processes is another generation of the same session. */
export async function startDaemon(speed = 6): Promise<Server & KilledServer> {
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-daemon-'))
  const relay = await startRelay(join(folder, 'd.sock'))
  let lives = 0
  let sessionId = ''
  const server = await keepAlive(async () => {
    lives += 1
    const plan = {kind: 'daemon', scenario: BUSY, speed, socketPath: join(folder, `${lives}.sock`)} as const
    const mortal = await startMortal(plan, COMPILED)
    sessionId = mortal.listening.sessionId
    return mortal
  }, [{relay, at: 0}])
  return {
    ...server,
    source: {kind: 'daemon', socket: join(folder, 'd.sock'), sessionId},
    examine: async (kept) => [
      ...misled(kept),
      ...steppedOver(kept),
      ...handledTwice(kept),
      ...unlikePassed(kept, relay.passages),
    ],
    async close() {
      await server.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

const EVENT = 'session_event '

/** What is journaled is what came: of each connection a beginning, in order, none left out. */
function unlikePassed({frames}: KeptProfile, passages: readonly Passage[]): readonly string[] {
  const journaled = frames.map(({name}) => name).filter((name) => name.startsWith(EVENT))
  let next = 0
  for (const passage of passages)
    for (const line of linesOf(passage)) {
      const name = line.startsWith('{"type":"session_event"') ? nameOfMessage(line) : undefined
      if (name === undefined) continue
      if (name !== journaled[next]) break
      next += 1
    }
  return next === journaled.length ? [] : [`journaled otherwise than it came, from ${journaled[next]} on`]
}
