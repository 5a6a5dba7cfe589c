import {fileURLToPath} from 'node:url'
import {systemClock} from '../../clock.ts'
import {createGuard} from '../guard.ts'
import {runCommand} from '../run-command.ts'

/*
 * A process that runs one command under guard, made to be killed.
 *
 * usage: node run-until-killed.ts <file of the guard> <JSON of an argv>
 */
const [file = '', argv = '[]'] = process.argv.slice(2)
const watchdogUrl = new URL('../watchdog.ts', import.meta.url)
const guard = createGuard({watchdogUrl, file})
const env = {PATH: process.env['PATH'] ?? ''}
const run = {
  argv: JSON.parse(argv),
  cwd: fileURLToPath(new URL('.', import.meta.url)),
  env,
  input: Buffer.from(''),
  secrets: [],
}
await runCommand(run, {clock: systemClock(), guard}, new AbortController().signal)
guard.close()
