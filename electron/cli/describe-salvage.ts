import type {SalvageReport} from '../engine/store/rescue.ts'
import type {CopiedTable, Stretch} from '../engine/store/rescue-copy.ts'
import {table} from './output.ts'

/** What each table holds, in the words of the product. */
const NAMES: Readonly<Record<string, string>> = {
  sources: 'sources',
  tallies: 'counts of sources',
  coordinates: 'coordinates with their cursors',
  frames: 'frames',
  unhandled: 'frames that wait for their callback',
  attempts: 'runs of callbacks',
  moves: 'moves apart from their frame',
  gaps: 'gaps of the ledger',
  connections: 'connection states',
  generations: 'generations',
  holes: 'holes of the ledger',
  activities: 'what agents did that lasts',
  pruned: 'what retention deleted',
  cells: 'parts of the overview',
}

/** What was saved and what was not, for people. */
export function describeSalvage(report: SalvageReport): readonly string[] {
  const {into, how, tables, mended, cursors} = report
  const names = new Map(report.names)
  const of = (source: number): string => `of ${names.get(source) ?? `source ${source}`}`
  return [
    `Saved into ${into}:`,
    ...table(['WHAT', 'SAVED', 'LOST'], tables.map(cells)).map((line) => `  ${line}`),
    ...how.map((way) => HOW[way]),
    ...tables.flatMap(unread),
    ...mended.sources.map((name) => `The record of a source was lost; its history is under “${name}”, paused.`),
    ...few(mended.coordinates, ({source, name, sequence}) =>
      sequence === null
        ? `The cursor ${name} ${of(source)} is lost.`
        : `The cursor ${name} ${of(source)} was lost; it is ${sequence} by its newest recorded move.`,
    ),
    ...frames('That they wait for their callback was lost, and follows from how they were recorded', mended.waiting),
    ...frames('They waited for their callback and cannot be read; their server is asked for them again', mended.gone),
    `Cursors: ${cursors.equal} as their newest recorded move says, ${cursors.unchecked} with no move recorded, ${cursors.differ.length} that differ.`,
    ...few(
      cursors.differ,
      ({source, name, cursor, newestMove}) =>
        `  ${name} ${of(source)} is ${cursor ?? 'not held'}, its newest recorded move says ${newestMove ?? 'removed'}.`,
    ),
    'The new file is sound. The damaged one was only read.',
  ]
}

const HOW: Readonly<Record<SalvageReport['how'][number], string>> = {
  withoutLog: 'Its log did not fit the file and was left out: the last commits may be missing.',
  newHead: 'The list of its tables was lost; that of a new store was used in its place.',
}

function cells({table: name, saved, lost, unreadable}: CopiedTable): readonly string[] {
  const missing = lost ?? (unreadable.length === 0 ? 0 : undefined)
  return [NAMES[name] ?? name, String(saved), missing === undefined ? 'not known' : String(missing)]
}

/** The overview is told by numbers of spans of time, which say nothing to anybody. */
function unread({table: name, unreadable, without}: CopiedTable): readonly string[] {
  const what = NAMES[name] ?? name
  return [
    ...(name === 'cells'
      ? []
      : unreadable.map((stretch) => `Could not be read: ${what} numbered ${stretchText(stretch)}.`)),
    ...frames('Saved without their raw bytes, which could not be read', without),
  ]
}

function stretchText({from, to}: Stretch): string {
  if (to === undefined) return `${from} and above`
  return from === to ? String(from) : `${from} to ${to}`
}

/** More than this many of a kind are nobody's reading; `--json` has them all. */
const SHOWN = 20

function few<T>(all: readonly T[], say: (one: T) => string): readonly string[] {
  const rest = all.length - SHOWN
  return [...all.slice(0, SHOWN).map(say), ...(rest > 0 ? [`  … and ${rest} more; --json has them all.`] : [])]
}

function frames(what: string, numbers: readonly number[]): readonly string[] {
  if (numbers.length === 0) return []
  const more = numbers.length > SHOWN ? ` and ${numbers.length - SHOWN} more` : ''
  return [`${what}: ${numbers.length === 1 ? 'frame' : 'frames'} ${numbers.slice(0, SHOWN).join(', ')}${more}.`]
}
