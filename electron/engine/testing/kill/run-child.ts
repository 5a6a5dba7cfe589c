import {spawn} from 'node:child_process'
import {once} from 'node:events'
import {createInterface} from 'node:readline'
import type {Readable, Writable} from 'node:stream'
import {fileURLToPath} from 'node:url'
import {BUG, type ChildPlan, type Passed, type StorePassed, WAITS, WARD} from './point.ts'

const PLANTING = new URL('./plant-in-child.ts', import.meta.url).href
const SCRIPT = fileURLToPath(new URL('./watch-child.ts', import.meta.url))

/** For a start and a few frames on the busiest machine, in ms. */
const PATIENCE_MS = 180_000

/** How often it is looked whether it is time, in ms. */
const LOOK_MS = 3

/** Said also where nothing happens. */
const GOES_ON_FOR_EVER: ReadonlySet<string> = new Set(['beating', 'published'])

/** When a life ends. Whichever comes first. */
export interface Death {
  /** At this point of the engine's thread; where that waits, it is blocked at that very point. */
  readonly at?: (passed: Passed, soFar: readonly Passed[]) => boolean
  /** At this point of the thread that writes the store. */
  readonly atStore?: (passed: StorePassed, soFar: readonly StorePassed[]) => boolean
  /** The thread is let go on from there, and killed so much later, wherever it is by then. In ms, and less than a blink. */
  readonly lingerMs?: number
  /** So long after it was started, or after its first word. In ms. */
  readonly after?: {readonly since: 'start' | 'firstWord'; readonly ms: number}
  /** When this becomes true, whatever the process does meanwhile. */
  readonly when?: () => boolean
  /** When no frame moved and no connection changed for so long, or for two starts where those take longer: a busy machine is not quiet. In ms. */
  readonly quietMs?: number
}

export interface Life {
  /** Everything it said, in order. */
  readonly passed: readonly Passed[]
  readonly stored: readonly StorePassed[]
  /** What it complained of, or what is wrong with how it ended. Empty: nothing. */
  readonly complaint: string
  /** It was killed because it said nothing any more. */
  readonly quiet: boolean
}

/** Runs a child until its death, by SIGKILL, which no process can notice. Resolves when it is dead. */
export async function runUntilKilled(plan: ChildPlan, death: Death): Promise<Life> {
  const env = {
    ...process.env,
    NODE_COMPILE_CACHE: plan.compiled,
    [WAITS]: plan.waits,
    [WARD]: plan.profile,
    ...(plan.bug === undefined ? {} : {[BUG]: plan.bug}),
  }
  const stdio = ['pipe', 'pipe', 'pipe', 'pipe', 'pipe'] as const
  const child = spawn(
    process.execPath,
    [...(plan.bug === undefined ? [] : ['--import', PLANTING]), SCRIPT, JSON.stringify(plan)],
    {stdio: [...stdio], env},
  )
  const pipes = child.stdio as unknown as Pipes // five pipes, as asked for
  const life = {passed: [] as Passed[], stored: [] as StorePassed[], complaint: '', quiet: false}
  const end = createEnd(() => child.kill('SIGKILL'))
  const {lingerMs} = death
  const mayDie = (isIt: boolean): Heard => {
    if (!isIt) return 'goesOn'
    if (lingerMs !== undefined) return () => end.soon(lingerMs)
    end.now()
    return 'dies'
  }
  const spawnedAt = performance.now()
  let startMs: number | undefined
  const quietAfter = (): void => {
    startMs ??= performance.now() - spawnedAt
    if (death.quietMs !== undefined) end.ifQuiet(Math.max(death.quietMs, 2 * startMs), () => (life.quiet = true))
  }
  let begun = false
  const heard = (): void => {
    if (!begun && death.after?.since === 'firstWord') end.later(death.after.ms)
    begun = true
    quietAfter()
  }
  listen<Passed>(pipes[1], plan.waits === 'engine' ? pipes[0] : undefined, (one) => {
    life.passed.push(one)
    if (!GOES_ON_FOR_EVER.has(one.point)) heard()
    return mayDie(death.at?.(one, life.passed) === true)
  })
  listen<StorePassed>(pipes[3], plan.waits === 'store' ? pipes[4] : undefined, (one) => {
    life.stored.push(one)
    heard()
    return mayDie(death.atStore?.(one, life.stored) === true)
  })
  pipes[2].setEncoding('utf8').on('data', (text: string) => (life.complaint += text))
  if (death.after?.since === 'start') end.later(death.after.ms)
  end.atLast(() => (life.complaint += `after ${PATIENCE_MS} ms it was not where it was to be killed`))
  const looks = setInterval(() => {
    if (begun && death.when?.() === true) end.now()
  }, LOOK_MS)
  const [, signal] = await once(child, 'close')
  clearInterval(looks)
  end.cancel()
  if (signal !== 'SIGKILL') life.complaint += `it ended by itself, ${String(signal)}`
  return life
}

/** Standard input, output and error; then what the store's thread says and hears. */
type Pipes = readonly [Writable, Readable, Readable, Readable, Writable]

/** @param hear - `dies`: it is not let go on; a function: what is done once it was */
function listen<Line>(says: Readable, hears: Writable | undefined, hear: (line: Line) => Heard): void {
  let stays = false
  hears?.on('error', () => {}) // it is dead: nobody is let go on any more
  createInterface({input: says}).on('line', (line) => {
    const then = hear(JSON.parse(line) as Line) // written by createTeller
    stays ||= then === 'dies'
    if (!stays) hears?.write('.')
    if (typeof then === 'function') then()
  })
}

type Heard = 'goesOn' | 'dies' | (() => void)

interface End {
  readonly now: () => void
  /** In so many ms, exactly: nothing else is done until then. */
  readonly soon: (ms: number) => void
  readonly later: (ms: number) => void
  readonly ifQuiet: (ms: number, then: () => void) => void
  readonly atLast: (then: () => void) => void
  readonly cancel: () => void
}

function createEnd(kill: () => void): End {
  const timers = new Map<'later' | 'quiet' | 'last', NodeJS.Timeout>()
  let dead = false
  const die = (because: () => void = () => {}): void => {
    if (!dead) because()
    dead = true
    kill()
  }
  const plan = (name: 'later' | 'quiet' | 'last', ms: number, because?: () => void): void => {
    clearTimeout(timers.get(name))
    timers.set(
      name,
      setTimeout(() => die(because), ms),
    )
  }
  return {
    now: () => die(),
    soon(ms) {
      const due = performance.now() + ms
      while (performance.now() < due);
      die()
    },
    later: (ms) => plan('later', ms),
    ifQuiet: (ms, because) => plan('quiet', ms, because),
    atLast: (because) => plan('last', PATIENCE_MS, because),
    cancel: () => {
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}
