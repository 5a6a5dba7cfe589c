import {type Admission, type Autopsy, admit, type Patient} from './patient.ts'

/** What every series of kills is given. */
export interface Ward {
  /** How often each step is tried: 1 for a look at every step, more for a proof. */
  readonly rounds: number
  /** In [0, 1). */
  readonly dice: () => number
  /** Closed with the ward. */
  readonly admit: (admission: Admission) => Promise<Patient>
  /** One kill: the step at which it struck, and what was found afterwards. */
  readonly note: (step: string, autopsy: Pick<Autopsy, 'violations'>, more?: readonly string[]) => void
}

export interface Kill {
  readonly step: string
  readonly violations: readonly string[]
}

export interface WardPlan {
  readonly rounds: number
  readonly dice: () => number
  /** One that is planted in every child. The first violation is then enough. */
  readonly bug?: string
}

/** Runs a series in a ward of its own. */
export async function inWard(
  {rounds, dice, bug}: WardPlan,
  run: (ward: Ward) => Promise<void>,
): Promise<readonly Kill[]> {
  const kills: Kill[] = []
  const patients: Patient[] = []
  const ward: Ward = {
    rounds,
    dice,
    async admit(admission) {
      const plan = {...admission.plan, ...(bug === undefined ? {} : {bug})}
      const patient = await admit({...admission, plan})
      patients.push(patient)
      return patient
    },
    note(step, autopsy, more = []) {
      const violations = [...autopsy.violations, ...more]
      kills.push({step, violations})
      if (bug !== undefined && violations.length > 0) throw new BugFound()
    },
  }
  try {
    await run(ward)
  } catch (cause) {
    if (!(cause instanceof BugFound)) throw cause
  } finally {
    await Promise.all(patients.map(({close}) => close()))
  }
  return kills
}

class BugFound extends Error {}
