import {member} from '../../shared/base/json.ts'
import type {GapLine, ReplayLine, SaidLine} from '../engine/replay/replay-lines.ts'

type JsonPosition = {readonly [key: string]: number}

/** One line of a replay for people; `--json` is for programs. */
export function describeReplayLine(line: ReplayLine): string {
  switch (line.fact) {
    case 'frame': {
      const again = line.attempt !== undefined && line.attempt > 1 ? ` (attempt ${line.attempt})` : ''
      return `${line.n}  ${line.event || '(too long)'}  ${line.outcome}${again}  ${positionText(line.position)}`
    }
    case 'gap':
      return `${line.n}  gap  ${line.outcome}  ${saidText(line.said)}  ${stepsText(line)}`
    case 'end': {
      const {frames, handled, rejected, discarded, malformed, control, gaps} = line
      const counts = `${frames} frames: ${handled} handled, ${rejected} rejected, ${discarded} discarded, ${malformed} malformed, ${control} control, ${gaps} gaps`
      return `end at ${positionText(line.position)}; ${counts}${line.hypothetical === true ? '; hypothetical' : ''}`
    }
  }
}

export function positionText(position: JsonPosition): string {
  const pairs = Object.entries(position)
  return pairs.length === 0 ? '(no position)' : pairs.map(([key, value]) => `${key} ${value}`).join(', ')
}

function saidText({from, resumedAt, reason}: SaidLine): string {
  const parts = [
    from === undefined ? undefined : `from ${from}`,
    resumedAt === undefined ? undefined : `resumed at ${resumedAt}`,
    reason === undefined ? undefined : `“${reason}”`,
  ]
  return `said: ${parts.filter((part) => part !== undefined).join(', ') || 'nothing more'}`
}

/** What the replacement did to each coordinate that changed. */
function stepsText({before, position, outcome}: GapLine): string {
  if (outcome === 'rejected' || outcome === 'malformed') return `stays at ${positionText(position)}`
  return changesText(before, position) ?? 'nothing moved'
}

/** Every coordinate that was added, changed or removed; `undefined` where none was. */
export function changesText(before: JsonPosition, after: JsonPosition): string | undefined {
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const steps = keys.map((key) => ({key, was: member(before, key), is: member(after, key)}))
  const changed = steps.filter(({was, is}) => was !== is)
  if (changed.length === 0) return undefined
  return changed.map(({key, was, is}) => `${key} ${was ?? 'not held'} → ${is ?? 'removed'}`).join(', ')
}
