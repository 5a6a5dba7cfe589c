import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import type {Scenario} from '../../../demo/scenario.ts'
import {mountDisk} from '../../store/testing/mount-disk.ts'
import {COMPILED} from '../compiled.ts'
import {until} from '../until.ts'
import {type KeptProfile, readEffects, readProfile} from './check-profile.ts'
import {runningOf, watchdogsOf} from './command-handler.ts'
import {namerFor} from './frame-names.ts'
import type {ChildPlan, Effect} from './point.ts'
import {createPromised, notePromises} from './promises.ts'
import * as rules from './rules.ts'
import {type Death, type Life, runUntilKilled} from './run-child.ts'
import {startBridge} from './servers/bridge.ts'
import type {Server} from './servers/server.ts'

/** One profile over all its lives, and the server that it watches. */
export interface Patient {
  readonly profile: string
  /** Where its callbacks leave what they did. */
  readonly effects: string
  /** Runs one life to its death and looks at what it left. */
  readonly live: (death: Death, more?: Partial<ChildPlan>) => Promise<Autopsy>
  /** Its profile is another one now: what earlier lives said and did is no promise of this one. */
  readonly forget: () => void
  readonly close: () => Promise<void>
}

export interface Autopsy {
  readonly life: Life
  /** Absent where the store could not be read. */
  readonly kept: KeptProfile | undefined
  readonly effects: readonly Effect[]
  /** In words. */
  readonly violations: readonly string[]
}

export type Admission = {
  readonly plan: Pick<ChildPlan, 'work' | 'waits' | 'bug'>
  /** Its profile is a disk of its own, of this size. */
  readonly disk?: string
} & (
  | {
      readonly scenario: Scenario
      /** How many times faster than written. */
      readonly speed?: number
    }
  /** Closed with the patient. */
  | {readonly server: Server}
)

/** This user may not make a disk. */
export class NoDisk extends Error {}

export async function admit(admission: Admission): Promise<Patient> {
  const server = 'server' in admission ? admission.server : await startBridge(admission.scenario, admission.speed ?? 20)
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-patient-'))
  const profile = join(folder, 'profile')
  mkdirSync(profile)
  const unmount = admission.disk === undefined ? () => {} : mountDisk(profile, admission.disk)
  const effects = join(folder, 'effects.jsonl')
  const files = {profile, compiled: COMPILED, effects}
  const whole: ChildPlan = {...files, source: server.source, ...admission.plan}
  writeFileSync(effects, '')
  if (unmount === undefined) {
    await server.close()
    rmSync(folder, {recursive: true})
    throw new NoDisk()
  }
  let examine = createExaminer(whole, server)
  return {
    profile,
    effects,
    async live(death, more = {}) {
      const life = await runUntilKilled({...whole, ...more}, death)
      return examine(life, await leftRunning(profile))
    },
    forget() {
      writeFileSync(effects, '')
      examine = createExaminer(whole, server)
    },
    async close() {
      await server.close()
      unmount()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

/** Longer than a process takes to be gone that was killed, on the busiest machine, in ms; much less than what a command starts runs by itself. */
const GONE_MS = 5_000

/** Nothing that a command started outlives its Tidemark; what it did until then is its effect. */
async function leftRunning(profile: string): Promise<readonly string[]> {
  const areGone = (): boolean => runningOf(profile).length === 0
  // Where nobody ends them any more it need not be waited for whoever might.
  await until(() => areGone() || watchdogsOf(profile).length === 0, 'a watchdog to be done')
  try {
    await until(areGone, 'everything that commands started to be gone', () => runningOf(profile), GONE_MS)
    return []
  } catch (cause) {
    for (const pid of runningOf(profile)) process.kill(pid, 'SIGKILL')
    return [cause instanceof Error ? cause.message : String(cause)]
  }
}

function createExaminer(plan: ChildPlan, server: Server): (life: Life, found: readonly string[]) => Promise<Autopsy> {
  const promised = createPromised()
  const callbacks = plan.work.kind !== 'none'
  let before: KeptProfile | undefined

  return async (life, found) => {
    const complaint = [...(life.complaint === '' ? [] : [life.complaint]), ...found]
    const effects = readEffects(plan.effects)
    const disorder = rules.outOfOrder(life, callbacks)
    notePromises(promised, life.passed)
    try {
      const kept = readProfile(plan.profile, namerFor(plan.source))
      const violations = [
        ...complaint,
        ...disorder,
        ...rules.forgotten(kept, promised),
        ...rules.misplaced(kept),
        ...(callbacks ? [...rules.unannounced(kept, effects), ...rules.uncounted(before, kept, life)] : []),
        ...(await server.examine(kept, effects, callbacks)),
      ]
      before = kept
      return {life, kept, effects, violations}
    } catch (cause) {
      const unsound = cause instanceof Error ? cause.message : String(cause)
      return {life, kept: undefined, effects, violations: [...complaint, ...disorder, unsound]}
    }
  }
}
