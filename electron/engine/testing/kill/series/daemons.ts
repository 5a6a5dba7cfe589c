import type {Autopsy, Patient} from '../patient.ts'
import {FRAME_POINTS, type FramePoint, type Passed} from '../point.ts'
import {startDaemon} from '../servers/daemon.ts'
import type {KilledServer} from '../servers/killed-server.ts'
import type {Ward} from '../ward.ts'
import {nth, WORDS} from './frames.ts'
import {handleRest} from './rest.ts'

/* A session of a daemon: whoever watches it is killed between any two steps of an event, and the daemon at any line. */

export async function killAroundDaemonEvents(ward: Ward): Promise<void> {
  const daemon = await startDaemon()
  const patient = await ward.admit({server: daemon, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++)
    for (const point of FRAME_POINTS) {
      const n = 1 + Math.floor(ward.dice() * 4)
      ward.note(`daemon's event: ${WORDS[point]}`, await patient.live({at: nth(point, n)}))
    }
  await handleRest(ward, patient, daemon, 'daemon')
}

/** The journal is the callback: a run of events is journaled and acknowledged in one commit. */
export async function killAroundDaemonRuns(ward: Ward): Promise<void> {
  const daemon = await startDaemon()
  const patient = await ward.admit({server: daemon, plan: {work: {kind: 'none'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++)
    for (const point of ['received', 'settling', 'settled'] as const) {
      const step = point === 'settling' ? 'before the commit' : WORDS[point]
      ward.note(
        `daemon, without callbacks: ${step}`,
        await patient.live({at: nth(point, point === 'received' ? 3 : 2)}),
      )
    }
}

/** Lines of a conversation until its first events, and some more. */
const LINES = 12

export async function killDaemonAndWatcher(ward: Ward): Promise<void> {
  const daemon = await startDaemon()
  const patient = await ward.admit({server: daemon, plan: {work: {kind: 'effect'}, waits: 'engine'}})
  for (let round = 0; round < ward.rounds; round++)
    for (const into of [0, 0.5] as const)
      for (const both of [false, true]) {
        const strike = {lines: 2 + Math.floor(ward.dice() * LINES), into: into === 0 ? 0 : ward.dice()}
        const point = FRAME_POINTS[Math.floor(ward.dice() * FRAME_POINTS.length)] ?? 'settled'
        const autopsy = await outlive(patient, daemon, strike, both ? undefined : point)
        const where = into === 0 ? 'between two of its lines' : 'in the middle of a line'
        ward.note(`the daemon, ${where}`, {violations: []})
        ward.note(both ? 'daemon, right after it died' : `daemon's next process: ${WORDS[point]}`, autopsy)
      }
  await handleRest(ward, patient, daemon, 'daemon')
}

/** The daemon dies, and then who watches it: at once, or at a point of an event of the next one. */
async function outlive(
  patient: Patient,
  daemon: KilledServer,
  strike: Parameters<KilledServer['dieAt']>[0],
  point: FramePoint | undefined,
): Promise<Autopsy> {
  const before = daemon.deaths()
  daemon.dieAt(strike)
  let passed = 0
  const at = (one: Passed): boolean => {
    if (daemon.deaths() === before) return false
    passed += Number(one.point === 'received')
    return point === undefined || (passed > 1 && one.point === point)
  }
  return patient.live({at})
}

/** Of what a daemon can do to those who watch it, without dying. */
const BLOWS: readonly object[] = [
  {kind: 'hangUp'},
  {kind: 'supervisor', end: 'killed', downMs: 200, helloMs: 0},
  {kind: 'cut', atByte: 33},
  {kind: 'drop', on: 'main', events: 3},
  {kind: 'crash', on: 'main'},
  {kind: 'reopen', on: 'main'},
]
/** As long as some events take, in ms. */
const BUSY_MS = 500

export async function killDaemonsWatcherAtRandom(ward: Ward): Promise<void> {
  const daemon = await startDaemon()
  const patient = await ward.admit({server: daemon, plan: {work: {kind: 'effect'}, waits: 'nowhere'}})
  for (let round = 0; round < ward.rounds; round++)
    for (const blow of BLOWS) {
      let struck = false
      const begun = (one: Passed): boolean => {
        if (!struck && one.point === 'settled') {
          struck = true
          daemon.act(blow)
        }
        return false
      }
      const after = {since: 'firstWord', ms: ward.dice() * BUSY_MS} as const
      ward.note('daemon, at random, while it does its worst', await patient.live({at: begun, after}))
    }
  await handleRest(ward, patient, daemon, 'daemon')
}
