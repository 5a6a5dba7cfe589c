import {createInterface} from 'node:readline'
import {realClock} from '../../../demo/demo-clock.ts'
import {type NumberedServerSetup, startNumberedServer} from '../../../demo/numbered/server.ts'
import {type DemoDaemonSetup, startDemoDaemon} from '../../../demo/prime/server.ts'

/*
 * A demo server in a process of its own, made to be killed. It says in one line where it listens and whom it has, does what it
 * is told, a line each, and ends with its standard input.
 */

export type ServePlan =
  | ({readonly kind: 'daemon'} & Omit<DemoDaemonSetup, 'clock'>)
  | ({readonly kind: 'numbered'} & Omit<NumberedServerSetup, 'clock'>)

/** What it says when it listens. */
export interface Listening {
  readonly at: readonly (string | number)[]
  readonly sessionId: string
}

const plan = JSON.parse(process.argv[2] ?? '') as ServePlan // written by a test
const {listening, act} = await start(plan)
console.log(JSON.stringify(listening))
createInterface({input: process.stdin})
  .on('line', (line) => act(JSON.parse(line) as never)) // an action of this kind of server
  .on('close', () => process.exit(0))

async function start({kind, ...setup}: ServePlan): Promise<{listening: Listening; act: (action: never) => void}> {
  const clock = realClock()
  if (kind === 'daemon') {
    const daemon = await startDemoDaemon({...(setup as DemoDaemonSetup), clock}) // of this kind
    const [session] = (setup as DemoDaemonSetup).scenario.sessions
    const sessionId = session === undefined ? '' : daemon.namesOf(session.key).sessionId
    return {listening: {at: [daemon.socketPath], sessionId}, act: daemon.act}
  }
  const server = await startNumberedServer({...(setup as NumberedServerSetup), clock}) // of this kind
  return {listening: {at: [server.lines, Number(new URL(server.sse).port)], sessionId: ''}, act: server.act}
}
