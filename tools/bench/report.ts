import {type Figure, type Goal, isMet, ratioOf} from './figure.ts'
import type {Machine} from './machine.ts'

const HEAD = ['what', 'ours', 'floor', 'ratio', 'goal', ''] as const

/** A Markdown table, so that a run can be put into BENCH.md as it is. */
export function describeFigures(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [
    figure.what,
    `${rounded(figure.ours)} ${figure.unit}`,
    figure.floor === undefined ? '' : `${rounded(figure.floor.value)} ${figure.unit} (${figure.floor.what})`,
    inWords(ratioOf(figure), (ratio) => ratio.toFixed(2)),
    inWords(figure.goal, (goal) => describeGoal(goal, figure.unit)),
    inWords(isMet(figure), (met) => (met ? 'met' : 'missed')),
  ])
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  return [line(HEAD), line(HEAD.map(() => '---')), ...rows.map(line)].join('\n')
}

export function describeMachine({processor, cores, memoryGb, system, node, sqlite, fileSystem, load}: Machine): string {
  const about = [
    `${cores} cores (${processor})`,
    `${memoryGb} GB`,
    system,
    `Node ${node}`,
    `SQLite ${sqlite}`,
    fileSystem,
  ]
  return `${about.join(', ')}; load ${load} as it began`
}

/** For other programs: the same figures with their ratio and verdict. */
export function figuresAsJson(machine: Machine, figures: readonly Figure[]): string {
  const all = figures.map((figure) => ({...figure, ratio: ratioOf(figure), met: isMet(figure)}))
  return JSON.stringify({machine, figures: all}, undefined, 2)
}

function describeGoal(goal: Goal, unit: string): string {
  if (goal.kind === 'value') return `at most ${goal.atMost} ${unit}`
  return goal.kind === 'ratio' ? `at most ${goal.atMost}x` : `at least ${goal.atLeast}x`
}

/** Three digits that mean something. */
function rounded(value: number): string {
  return value >= 1_000 ? Math.round(value).toLocaleString('en') : String(Number(value.toPrecision(3)))
}

function inWords<T>(value: T | undefined, words: (value: T) => string): string {
  return value === undefined ? '' : words(value)
}
