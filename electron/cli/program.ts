import {Argument, Command, CommanderError, InvalidArgumentError, Option} from 'commander'
import {type RetentionLimits, USUAL_LIMITS} from '../../shared/history/retention.ts'
import {runHost} from '../host/run-host.ts'
import {decideNumbering, retryHeld, skipHeld} from './decide-held.ts'
import {discoverDaemons} from './discover-daemons.ts'
import {EXIT} from './exit-codes.ts'
import {listGaps} from './list-gaps.ts'
import {listHandlers, replaceHandlers, tryOneHandler} from './list-handlers.ts'
import {listPositions, listSources} from './list-profile.ts'
import type {Output} from './output.ts'
import type {ReplayArguments} from './parse-replay.ts'
import {type RescueArguments, rescueProfile} from './rescue-profile.ts'
import {runReplay} from './run-replay.ts'
import {OutputFailed, ReaderGone, terminalOutput} from './terminal.ts'
import {VERSION} from './version.ts'

interface ProfileArguments {
  readonly profile?: string
  readonly json?: boolean
}

interface ServeArguments extends ProfileArguments {
  readonly port?: number
  readonly demo?: boolean
  readonly open: boolean
  readonly pageElsewhere?: boolean
  readonly keepDays?: number
  readonly keepBytes?: number
}

const PROFILE = ['--profile <dir>', 'the profile’s folder, instead of this user’s own'] as const
const JSON_LINES = ['--json', 'one JSON object a line'] as const

/** The command line, from its arguments to its exit code. */
export async function runProgram(
  args: readonly string[],
  output: Output = terminalOutput(process.stdout, process.stderr),
): Promise<number> {
  let code: number = EXIT.ok
  const ends = (work: Promise<number>): Promise<void> =>
    work.then((ended) => {
      code = ended
    })
  const program = newProgram(output)
  addServe(program, ends, output)
  addReplay(program, ends, output)
  addLists(program, ends, output)
  addHandlers(program, ends, output)
  addDecisions(program, ends, output)
  addNumbering(program, ends, output)
  addRescue(program, ends, output)
  try {
    await program.parseAsync([...args], {from: 'user'})
    return code
  } catch (cause) {
    if (cause instanceof CommanderError) return cause.exitCode === 0 ? EXIT.ok : EXIT.usage
    if (cause instanceof ReaderGone) return EXIT.ok
    if (!(cause instanceof OutputFailed)) throw cause
    output.note(cause.message)
    return EXIT.failed
  }
}

type Ends = (work: Promise<number>) => Promise<void>

function newProgram(output: Output): Command {
  return new Command('tidemark')
    .description(
      'See where every agent stream stands: positions, gaps, resets and stuck callbacks, live and in history.',
    )
    .version(VERSION)
    .exitOverride()
    .configureOutput({
      writeOut: (text) => saying(output)(text.trimEnd()),
      writeErr: (text) => output.note(text.trimEnd()),
    })
}

function addServe(program: Command, ends: Ends, output: Output): void {
  program
    .command('serve')
    .description('host mode: watch, and serve the screens on 127.0.0.1')
    .option('--port <n>', 'the port to listen on (default: 7777, or any free one)', port)
    .option('--demo', 'start in the demo')
    .option('--no-open', 'do not open a browser')
    .option('--keep-days <n>', 'delete history that is older (default: 90; 0: never)', wholeNumber)
    .option('--keep-bytes <n>', 'delete the oldest history when it takes more (default: 20 GiB; 0: never)', wholeNumber)
    // For who works on the page: another server brings it, so that none has to be built.
    .addOption(new Option('--page-elsewhere').hideHelp())
    .option(...PROFILE)
    .option(...JSON_LINES)
    .action((given: ServeArguments) => {
      const {profile, port: asked} = given
      const options = {
        ...(profile === undefined ? {} : {profile}),
        ...(asked === undefined ? {} : {port: asked}),
        ...(given.pageElsewhere === true ? {page: 'elsewhere'} : {}),
        demo: given.demo === true,
        browser: given.open,
        keep: keptHistory(given),
        json: given.json === true,
        version: VERSION,
      }
      return ends(runHost(options, {say: saying(output), complain: output.note}))
    })
}

function addReplay(program: Command, ends: Ends, output: Output): void {
  program
    .command('replay')
    .description('send a stored stream through the reader, the rules and the store; `-` is standard input')
    .argument('<file>')
    .requiredOption('--protocol <name>', 'switch, prime or numbered')
    .option(
      '--start <json>',
      'what was held before the first byte: a position, for numbered a cursor, for prime a cursor for each session id',
    )
    .option('--chunks <sizes>', 'feed the bytes in these sizes, repeating: 1,2,7,3,11')
    .option('--on-event <what>', 'switch: what an event’s callback does: ok, reject or reject-once (default: ok)')
    .option('--on-gap <what>', 'switch: what a gap’s callback does (default: ok)')
    .option('--format <name>', 'numbered: lines (of JSON) or sse (default: lines)')
    .option('--cursor-at <members>', 'numbered: where a message has its cursor, such as meta.cursor (default: cursor)')
    .option('--cursor-id <form>', 'numbered: in the id of an event instead, as G:S, G-S, G/S or json')
    .option('--type-at <members>', 'numbered: where a message has its type (default: type)')
    .option(
      '--on-reset <what>',
      'numbered: where a numbering begins anew below the cursor: keep or take (default: keep)',
    )
    .option('--strict', 'exit 3 if anything was malformed or rejected, 1 if nothing in it was a frame')
    .option('--profile <dir>', 'switch: keep what is replayed in this profile; otherwise nothing is kept')
    .option(...JSON_LINES)
    .action((file: string, given: Omit<ReplayArguments, 'file'>) => ends(runReplay({...given, file}, output)))
}

function addLists(program: Command, ends: Ends, output: Output): void {
  const lists = {
    sources: ['what is watched, and how it stands', listSources],
    positions: ['the acknowledged position of each source', listPositions],
    gaps: [
      'the ledger: gaps that were declared and what they did, holes that were seen, numberings that began anew',
      listGaps,
    ],
  } as const
  for (const [name, [description, list]] of Object.entries(lists)) {
    const command = program
      .command(name)
      .description(description)
      .argument('[source]', 'only this one, by its name or id')
      .option(...PROFILE)
      .option(...JSON_LINES)
    if (name === 'sources') command.option('--discover', 'instead: which Prime daemons run here, and their sessions')
    command.action((source: string | undefined, given: ProfileArguments & {readonly discover?: boolean}) =>
      ends(
        given.discover === true
          ? discoverDaemons(given, output)
          : list({...given, ...(source === undefined ? {} : {source})}, output),
      ),
    )
  }
}

interface HandlersArguments extends ProfileArguments {
  readonly set?: string
  readonly test?: string
  readonly frame?: number
}

const HANDLER_FILE = `
A file for --set, in the order in which they run; what is left out of a handler is as usual (30 s, 3 attempts, every event and every gap):

  {"handlers": [
    {"name": "log", "action": {"kind": "command", "argv": ["/usr/local/bin/log-event", "--quiet"]}},
    {"name": "hook", "action": {"kind": "webhook", "url": "https://example.org/hook"}, "attempts": 5, "backoffMs": 2000,
     "rule": {"rooms": ["room-a"], "events": ["task_delegate"], "addressed": true, "outcomes": ["handled"]}},
    {"name": "tell me", "deadlineMs": 10000, "rule": {"events": ["gap"]}, "action": {"kind": "notification"}}
  ], "secrets": [["hook", "the key that its requests are signed with"]]}`

function addHandlers(program: Command, ends: Ends, output: Output): void {
  program
    .command('handlers')
    .description('what runs for the frames of each source before its position moves')
    .argument('[source]', 'only this one, by its name or id')
    .option('--set <file>', 'replace the whole list of one source by that of a JSON file; `-` is standard input')
    .option('--test <handler>', 'run one on a frame of the past, for real; nothing moves')
    .option('--frame <id>', 'the frame it is tested on (default: the newest that it could run for)', wholeNumber)
    .option(...PROFILE)
    .option(...JSON_LINES)
    .addHelpText('after', HANDLER_FILE)
    .action((named: string | undefined, {set, test, frame, ...given}: HandlersArguments, command: Command) => {
      if (set === undefined && test === undefined)
        return ends(listHandlers({...given, ...(named === undefined ? {} : {source: named})}, output))
      if (set !== undefined && test !== undefined) command.error('error: either --set or --test')
      const source = named ?? command.error('error: name the source whose handlers are meant')
      if (set !== undefined) return ends(replaceHandlers({...given, source, file: set}, output))
      const on = frame === undefined ? {} : {frame}
      return ends(tryOneHandler({...given, source, handler: test ?? '', ...on}, output))
    })
}

function addDecisions(program: Command, ends: Ends, output: Output): void {
  program
    .command('retry')
    .description(
      'run the frame that holds a source once more; its effect may run twice. Where a numbering began anew: as `numbering keep`',
    )
    .argument('<source>', 'its name or id')
    .option(...PROFILE)
    .option(...JSON_LINES)
    .action((source: string, given: ProfileArguments) => ends(retryHeld({...given, source}, output)))
  program
    .command('skip')
    .description(
      'step over the frame that holds a source; the reason stays in its history. Not where a numbering began anew',
    )
    .argument('<source>', 'its name or id')
    .requiredOption('--reason <words>', 'why, in at most 500 characters', reason)
    .option(...PROFILE)
    .option(...JSON_LINES)
    .action((source: string, given: ProfileArguments & {readonly reason: string}) =>
      ends(skipHeld({...given, source}, output)),
    )
}

function addNumbering(program: Command, ends: Ends, output: Output): void {
  program
    .command('numbering')
    .description(
      'where a numbering began anew: go on with it (take), or keep the old one and ask the server again (keep)',
    )
    .addArgument(new Argument('<decision>', 'which goes on').choices(['take', 'keep']))
    .argument('<source>', 'its name or id')
    .option(...PROFILE)
    .option(...JSON_LINES)
    .action((decision: 'take' | 'keep', source: string, given: ProfileArguments) =>
      ends(decideNumbering({...given, decision, source}, output)),
    )
}

function addRescue(program: Command, ends: Ends, output: Output): void {
  program
    .command('rescue')
    .description('save what can be read of a damaged history into a new file; the damaged one stays as it is')
    .option(...PROFILE)
    .option('--into <file>', 'the new file (default: beside the damaged one)')
    .option(...JSON_LINES)
    .action((given: RescueArguments) => ends(rescueProfile(given, output)))
}

function keptHistory({keepDays, keepBytes}: ServeArguments): RetentionLimits {
  const [days, bytes] = [keepDays ?? USUAL_LIMITS.maxAgeDays, keepBytes ?? USUAL_LIMITS.maxBytes]
  return {...(days === 0 ? {} : {maxAgeDays: days}), ...(bytes === 0 ? {} : {maxBytes: bytes})}
}

function wholeNumber(text: string): number {
  if (!/^[0-9]{1,15}$/.test(text)) throw new InvalidArgumentError('It is a whole number of at least 0.')
  return Number(text)
}

function reason(text: string): string {
  const said = text.trim()
  if (said === '' || said.length > 500) throw new InvalidArgumentError('a reason has 1 to 500 characters')
  return said
}

function port(text: string): number {
  const value = Number(text)
  if (!/^[0-9]+$/.test(text) || value > 65_535) throw new InvalidArgumentError('a port is a number from 0 to 65535')
  return value
}

/** For lines that nobody waits for: a host serves on when whoever read what it said has gone. */
function saying(output: Output): (line: string) => void {
  return (line) => {
    void Promise.resolve(output.line(line)).catch((cause: unknown) => {
      if (!(cause instanceof ReaderGone || cause instanceof OutputFailed)) throw cause
    })
  }
}
