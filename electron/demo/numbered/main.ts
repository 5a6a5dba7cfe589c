import {realClock} from '../demo-clock.ts'
import {readFlags} from '../read-flags.ts'
import type {CursorPlace} from './render.ts'
import {findNumberedScenario, numberedScenarios} from './scenarios.ts'
import {type NumberedServerSetup, startNumberedServer} from './server.ts'

const USAGE =
  'node tools/node24.mjs electron/demo/numbered/main.ts --scenario NAME [--store DIR] [--write FILE] [--future fail|wait|all] [--cursor-at PATH|id:|id-|id/] [--asks first-line|none] [--lines PORT|PATH] [--sse PORT] [--speed N] [--for SECONDS] | --list'

const FLAGS = {
  scenario: {type: 'string', default: 'tour'},
  store: {type: 'string'},
  write: {type: 'string'},
  future: {type: 'string', default: 'fail'},
  'cursor-at': {type: 'string', default: 'cursor'},
  asks: {type: 'string', default: 'first-line'},
  lines: {type: 'string', default: '0'},
  sse: {type: 'string', default: '0'},
  speed: {type: 'string', default: '1'},
  for: {type: 'string', default: '600'},
  list: {type: 'boolean', default: false},
} as const

type Values = NonNullable<ReturnType<typeof readFlags<typeof FLAGS>>>

const values = readFlags(FLAGS, USAGE)
if (values?.list === true) for (const {name, about} of numberedScenarios) console.log(`${name.padEnd(16)}${about}`)
else if (values !== undefined) await run(values)

async function run(values: Values): Promise<void> {
  const seconds = Number(values.for)
  const setup = readSetup(values)
  if (setup === undefined || !(seconds > 0)) {
    console.error(USAGE)
    process.exitCode = 2
    return
  }
  const {clock} = setup
  const {lines, sse, close} = await startNumberedServer(setup)
  console.log(JSON.stringify({lines, sse}))
  const asked = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => asked.abort())
  await clock.wait(seconds * 1000, asked.signal)
  await close()
}

/** Nothing between the dots: the message itself has generation and sequence. `id` and a sign: only the id of an event has them. */
function placeOf(text: string): CursorPlace {
  const between = /^id([:/-])$/.exec(text)?.[1]
  if (between === ':' || between === '-' || between === '/') return {idBetween: between}
  return text.split('.').filter((name) => name !== '')
}

function readSetup(values: Values): NumberedServerSetup | undefined {
  const scenario = findNumberedScenario(values.scenario)
  const {future, asks, store, write} = values
  const [speed, ssePort] = [Number(values.speed), Number(values.sse)]
  if (scenario === undefined || !(speed > 0) || !Number.isInteger(ssePort)) return undefined
  if (future !== 'fail' && future !== 'wait' && future !== 'all') return undefined
  if (asks !== 'first-line' && asks !== 'none') return undefined
  return {
    scenario,
    clock: realClock(),
    speed,
    future,
    asks,
    ssePort,
    place: placeOf(values['cursor-at']),
    linePort: /^\d+$/.test(values.lines) ? Number(values.lines) : values.lines,
    ...(store === undefined ? {} : {store}),
    ...(write === undefined ? {} : {file: write}),
  }
}
