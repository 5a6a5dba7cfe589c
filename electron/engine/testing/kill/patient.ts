import {mkdirSync, mkdtempSync, rmSync, writeFileSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {realClock} from '../../../demo/demo-clock.ts'
import type {Scenario} from '../../../demo/scenario.ts'
import {startDemoServer} from '../../../demo/server.ts'
import {framesOf} from '../as-sent.ts'
import {bytesOf, startWiretap, type Wiretap} from '../wiretap.ts'
import {type KeptProfile, readEffects, readProfile} from './check-profile.ts'
import type {ChildPlan, Effect} from './point.ts'
import {createPromised, notePromises} from './promises.ts'
import * as rules from './rules.ts'
import {type Death, type Life, runUntilKilled} from './run-child.ts'

/** One profile over all its lives, and the server that survives them. */
export interface Patient {
  readonly profile: string
  readonly tap: Wiretap
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

export interface Admission {
  readonly scenario: Scenario
  readonly plan: Pick<ChildPlan, 'work' | 'waits' | 'bug'>
  /** How many times faster than written. */
  readonly speed?: number
  /** Puts something into the empty profile before the first life. */
  readonly prepare?: (profile: string, plan: ChildPlan) => void
}

export async function admit({scenario, plan, speed = 20, prepare = () => {}}: Admission): Promise<Patient> {
  const server = await startDemoServer({scenario, clock: realClock(), speed})
  const tap = await startWiretap(server.url)
  const folder = mkdtempSync(join(tmpdir(), 'tidemark-patient-'))
  const profile = join(folder, 'profile')
  mkdirSync(profile)
  const {agentId, token} = server
  const effects = join(folder, 'effects.jsonl')
  const files = {profile, compiled: join(tmpdir(), 'tidemark-compiled'), effects}
  const whole: ChildPlan = {...files, url: tap.url, agentId, token, ...plan}
  writeFileSync(effects, '')
  prepare(profile, whole)
  let examine = createExaminer(whole, tap)
  return {
    profile,
    tap,
    live: async (death, more = {}) => examine(await runUntilKilled({...whole, ...more}, death)),
    forget() {
      writeFileSync(effects, '')
      examine = createExaminer(whole, tap)
    },
    async close() {
      await tap.close()
      await server.close()
      rmSync(folder, {recursive: true, force: true})
    },
  }
}

function createExaminer(plan: ChildPlan, tap: Wiretap): (life: Life) => Promise<Autopsy> {
  const promised = createPromised()
  const callbacks = plan.work.kind !== 'none'
  /** Of the frames and of the streams that earlier lives had. */
  const before = {frame: 0, streams: tap.opens.length}

  return async (life) => {
    const complaint = life.complaint === '' ? [] : [life.complaint]
    const effects = readEffects(plan.effects)
    const disorder = rules.outOfOrder(life, callbacks)
    notePromises(promised, life.passed)
    const sent = tap.opens.slice(before.streams).map((open) => framesOf(bytesOf(open).toString('latin1')))
    before.streams = tap.opens.length
    try {
      const kept = readProfile(plan.profile)
      const journaled = kept.frames.filter(({id}) => id > before.frame)
      before.frame = kept.frames.at(-1)?.id ?? before.frame
      const violations = [
        ...complaint,
        ...disorder,
        ...rules.forgotten(kept, promised),
        ...(await rules.misplaced(kept)),
        ...(callbacks ? rules.unannounced(kept, effects) : []),
        ...rules.unlikeSent(journaled, sent),
      ]
      return {life, kept, effects, violations}
    } catch (cause) {
      const unsound = cause instanceof Error ? cause.message : String(cause)
      return {life, kept: undefined, effects, violations: [...complaint, ...disorder, unsound]}
    }
  }
}
