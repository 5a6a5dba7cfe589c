import {writeFileSync} from 'node:fs'
import {expect, onTestFinished, test} from 'vitest'
import {epochMs} from '../../shared/base/units.ts'
import type {Generation} from '../../shared/cursor/cursor.ts'
import {laneOfGeneration} from '../../shared/cursor/cursor-position.ts'
import type {Sequence} from '../../shared/position/position.ts'
import {realClock} from '../demo/demo-clock.ts'
import {findPrimeScenario} from '../demo/prime/scenarios.ts'
import {startDemoDaemon} from '../demo/prime/server.ts'
import {breachesOfPassivity} from '../demo/prime/testing/passive.ts'
import {profileFiles} from '../engine/store/profile.ts'
import {added, SOURCE, START} from '../engine/store/testing/changes.ts'
import {openStore, temporaryDirectory} from '../engine/store/testing/temporary-store.ts'
import {runProgram} from './program.ts'
import {told} from './testing/told.ts'

/** A profile that names the sockets of these scenarios' daemons, and one behind which there is nothing. */
async function profileOf(...scenarios: readonly string[]) {
  const directory = temporaryDirectory()
  const daemons = await Promise.all(
    scenarios.map(async (name) => {
      const scenario = findPrimeScenario(name)
      if (scenario === undefined) throw new Error(`no scenario is named ${name}`)
      const daemon = await startDemoDaemon({scenario, clock: realClock()})
      onTestFinished(daemon.close)
      return daemon
    }),
  )
  const sockets = [...daemons.map(({socketPath}) => socketPath), `${directory}/nothing.sock`]
  writeFileSync(profileFiles(directory).daemonSockets, JSON.stringify(sockets))
  return {directory, daemons}
}

test('sources --discover lists daemons and their sessions, and asks nothing of one that speaks another version', async () => {
  const {directory, daemons} = await profileOf('two-sessions', 'version-8')
  const output = told()
  expect(await runProgram(['sources', '--discover', '--json', '--profile', directory], output)).toBe(0)
  const lines = output.lines.map((line) => JSON.parse(line))
  expect(lines.slice(-3)).toMatchObject([
    {state: 'connected', socket: daemons[0]?.socketPath, sessions: [{name: 'tide tables'}, {name: 'docs build'}]},
    {state: 'unsupported', detail: 'prime-agent.daemon, version 8', sessions: []},
    {state: 'absent', detail: 'ENOENT', sessions: []},
  ])
  for (const {record} of daemons) expect(breachesOfPassivity(record())).toEqual([])
})

test('for people it is a table', async () => {
  const {directory} = await profileOf('still')
  const output = told()
  await runProgram(['sources', '--discover', '--profile', directory], output)
  const text = output.lines.join('\n')
  expect(text).toMatch(/daemon\.sock: connected, /)
  expect(text).toMatch(/SESSION +NAME +STATE +MODEL +FOLDER +CLIENTS +ID/)
  expect(text).toMatch(/tide tables +idle +demo +\/home\/dev\/project +0 /)
  expect(text).toMatch(/nothing\.sock: absent, ENOENT/)
})

test('positions tells a cursor as one', async () => {
  const directory = temporaryDirectory()
  const store = await openStore(profileFiles(directory).store)
  const steps = [{key: laneOfGeneration('g' as Generation), after: 7 as Sequence}] // as a parser would make them
  const move = {source: SOURCE, at: epochMs(START), cause: 'imported', steps} as const
  await store.commit([added(SOURCE), {kind: 'cursorMoved', move}])
  await store.close()
  const [people, program] = [told(), told()]
  await runProgram(['positions', '--profile', directory], people)
  await runProgram(['positions', '--json', '--profile', directory], program)
  expect(people.lines).toEqual([expect.stringContaining('generation g, sequence 7')])
  expect(JSON.parse(program.lines[0] ?? '')).toMatchObject({cursor: {generation: 'g', sequence: 7}})
})
