/** How long something took, in ms. */
async function timed(work: () => unknown): Promise<number> {
  const begun = performance.now()
  await work()
  return performance.now() - begun
}

/** Machines are shared: a median forgets the moments in which somebody else worked. */
export function median(times: readonly number[]): number {
  return quantile(times, 0.5)
}

/** @param share - in [0, 1] */
export function quantile(times: readonly number[], share: number): number {
  const sorted = [...times].sort((a, b) => a - b)
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
  if (value === undefined) throw new Error('nothing was measured')
  return value
}

/** One entry a round. */
export interface Times {
  /** By the wall clock. */
  readonly ms: number[]
  /** Of all threads of this process: what others do on the machine counts little in it. */
  readonly cpuMs: number[]
}

/**
 * Everything once a round, in turns, so that all see the same machine. What comes first changes from round to round: whoever
 * follows a sync of another pays for it too.
 */
export async function inTurns<Name extends string>(
  rounds: number,
  work: Readonly<Record<Name, (round: number) => unknown>>,
): Promise<Readonly<Record<Name, Times>>> {
  const names = Object.keys(work) as Name[] // of the very record
  const times = Object.fromEntries(names.map((name) => [name, {ms: [], cpuMs: []}])) as unknown as Record<Name, Times> // likewise
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < names.length; turn++) {
      const name = names[(round + turn) % names.length]
      if (name === undefined) continue
      const cpu = process.cpuUsage()
      times[name].ms.push(await timed(() => work[name](round)))
      const {user, system} = process.cpuUsage(cpu)
      times[name].cpuMs.push((user + system) / 1_000)
    }
  }
  return times
}

/** The same numbers in every run. In [0, 1). */
export function chance(n: number): number {
  const x = Math.sin(n * 12.9898 + 78.233) * 43_758.5453
  return x - Math.floor(x)
}
