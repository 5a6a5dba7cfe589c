import type {Item, Plan, Weather} from './plan.ts'
import type {Rule} from './verdict.ts'

export interface Shrunk {
  readonly plan: Plan
  /** Worlds that were tried. */
  readonly tried: number
}

const FAIR: Weather = {
  cuts: 0,
  losses: 0,
  diskErrors: 0,
  callbackFaults: 0,
  gapFaults: 0,
  slowDisk: false,
  slowNet: false,
  lateTimers: 0,
}

/**
 * Looks for less that still breaks the same rule: whole sources, the weather, then items in halves, quarters and single ones.
 * Every part of a world has dice of its own, so what is left mostly goes as it went.
 *
 * @param brokenBy - runs a world and tells which rule it broke
 * @param most - worlds that may be tried
 */
export async function shrink(
  plan: Plan,
  rule: Rule,
  brokenBy: (plan: Plan) => Promise<Rule | undefined>,
  most: number,
): Promise<Shrunk> {
  let smallest = plan
  let tried = 0
  const accept = async (candidate: Plan): Promise<boolean> => {
    if (tried >= most) return false
    tried += 1
    if ((await brokenBy(candidate)) !== rule) return false
    smallest = candidate
    return true
  }
  for (const {name} of plan.sources) if (smallest.sources.length > 1) await accept(without(smallest, name))
  for (const key of Object.keys(FAIR)) await accept({...smallest, weather: {...smallest.weather, ...fair(key)}})
  for (let size = Math.ceil(smallest.items.length / 2); size >= 1; size = Math.floor(size / 2)) {
    for (let at = 0; at < smallest.items.length; ) {
      const items = smallest.items.filter((_, index) => index < at || index >= at + size)
      // Where these can be left out, others stand in their place.
      if (!(await accept({...smallest, items}))) at += size
    }
  }
  return {plan: smallest, tried}
}

function without(plan: Plan, name: string): Plan {
  const isElse = (item: Item): boolean => !('source' in item) || item.source !== name
  return {
    ...plan,
    sources: plan.sources.filter((source) => source.name !== name),
    items: plan.items.filter(isElse),
  }
}

function fair(key: string): Partial<Weather> {
  return Object.fromEntries(Object.entries(FAIR).filter(([name]) => name === key))
}
