import {hasten, REAL_TIMING} from './bridge-state.ts'
import {realClock} from './demo-clock.ts'
import {readFlags} from './read-flags.ts'
import {findScenario, scenarios} from './scenarios.ts'
import {startDemoServer} from './server.ts'

const USAGE =
  'node tools/node24.mjs electron/demo/main.ts --scenario NAME [--port N] [--speed N] [--protocol-speed N] [--for SECONDS] | --list'

const FLAGS = {
  scenario: {type: 'string', default: 'tour'},
  port: {type: 'string', default: '0'},
  speed: {type: 'string', default: '1'},
  'protocol-speed': {type: 'string', default: '1'},
  for: {type: 'string', default: '600'},
  list: {type: 'boolean', default: false},
} as const

type Values = NonNullable<ReturnType<typeof readFlags<typeof FLAGS>>>

const values = readFlags(FLAGS, USAGE)
if (values?.list === true) for (const {name, about} of scenarios) console.log(`${name.padEnd(20)}${about}`)
else if (values !== undefined) await run(values)

async function run(values: Values): Promise<void> {
  const scenario = findScenario(values.scenario)
  const port = Number(values.port)
  const speed = Number(values.speed)
  const seconds = Number(values.for)
  const protocolSpeed = Number(values['protocol-speed'])
  if (scenario === undefined || !(speed > 0) || !(protocolSpeed > 0) || !(seconds > 0) || !Number.isInteger(port)) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const clock = realClock()
  const {url, agentId, token, close} = await startDemoServer({
    scenario,
    clock,
    speed,
    port,
    timing: hasten(REAL_TIMING, protocolSpeed),
  })
  console.log(JSON.stringify({url, token, agentId}))
  const asked = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => asked.abort())
  await clock.wait(seconds * 1000, asked.signal)
  await close()
}
