import type {Supervisor} from '../../../../../shared/sessions/supervisor.ts'
import type {Rule} from '../verdict.ts'

/** Holds what is told of supervisors to who answered: another one is told once, with the words it greeted with, and by no later process again. */
export interface Meetings {
  /** A line was journaled, which is one of these. */
  readonly heard: (lines: readonly string[]) => void
  /** The engine tells of one. `from`: the session that was replaced was of this one. */
  readonly told: (supervisor: Supervisor, from: string | undefined) => void
  /** The transaction is over. */
  readonly owesNothing: () => void
  readonly last: () => string | undefined
}

const AGAIN = 'a supervisor was told of again, or never answered'

export function createMeetings(first: string | undefined, broken: (rule: Rule, detail: string) => void): Meetings {
  let last = first
  /** Who may have answered, and is none of whom anything was told. */
  let unmet: readonly string[] = []
  let isOther = false
  const owesNothing = (): void => {
    if (isOther) broken('another supervisor was met in silence', unmet.join(' or '))
    unmet = []
    isOther = false
  }
  return {
    last: () => last,
    owesNothing,
    heard(lines) {
      owesNothing()
      const greetings = lines.map(readGreeting)
      unmet = greetings.filter((one): one is string => one !== undefined && one !== last)
      isOther = greetings.length > 0 && greetings.length === unmet.length
    },
    told({generation, after}, from) {
      const isHeard = unmet.includes(generation)
      if (generation === last || (!isHeard && generation !== from)) broken(AGAIN, generation)
      const hadOne = last !== undefined
      if (isHeard && hadOne !== (after !== undefined))
        broken(AGAIN, `${generation} ${hadOne ? 'took nobody’s place' : 'took a place'}`)
      last = generation
      unmet = []
      isOther = false
    },
  }
}

/** Who a daemon says it is: not of what the session is, whose generation is another. */
export function readGreeting(line: string): string | undefined {
  if (!line.includes('"daemon_hello"')) return undefined
  const hello: unknown = parse(line)
  if (typeof hello !== 'object' || hello === null || !('type' in hello) || hello.type !== 'daemon_hello')
    return undefined
  return 'supervisorGeneration' in hello && typeof hello.supervisorGeneration === 'string'
    ? hello.supervisorGeneration
    : undefined
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
