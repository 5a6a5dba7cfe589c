import {writeFileSync} from 'node:fs'
import {realClock} from '../demo-clock.ts'
import {readFlags} from '../read-flags.ts'
import {findPrimeScenario, primeScenarios} from './scenarios.ts'
import {startDemoDaemon} from './server.ts'

const USAGE =
  'node tools/node24.mjs electron/demo/prime/main.ts --scenario NAME [--socket PATH] [--speed N] [--for SECONDS] [--record FILE] | --list'

const FLAGS = {
  scenario: {type: 'string', default: 'tour'},
  socket: {type: 'string'},
  speed: {type: 'string', default: '1'},
  for: {type: 'string', default: '600'},
  record: {type: 'string'},
  list: {type: 'boolean', default: false},
} as const

type Values = NonNullable<ReturnType<typeof readFlags<typeof FLAGS>>>

const values = readFlags(FLAGS, USAGE)
if (values?.list === true) for (const {name, about} of primeScenarios) console.log(`${name.padEnd(22)}${about}`)
else if (values !== undefined) await run(values)

async function run(values: Values): Promise<void> {
  const scenario = findPrimeScenario(values.scenario)
  const speed = Number(values.speed)
  const seconds = Number(values.for)
  if (scenario === undefined || !(speed > 0) || !(seconds > 0)) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const clock = realClock()
  const socket = values.socket === undefined ? {} : {socketPath: values.socket}
  const {socketPath, record, close} = await startDemoDaemon({scenario, clock, speed, ...socket})
  console.log(JSON.stringify({socketPath}))
  const asked = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => asked.abort())
  await clock.wait(seconds * 1000, asked.signal)
  await close()
  if (values.record !== undefined)
    writeFileSync(
      values.record,
      record()
        .map((one) => `${JSON.stringify(one)}\n`)
        .join(''),
    )
}
