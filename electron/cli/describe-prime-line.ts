import type {PrimeEndLine, PrimeFrameLine, PrimeLine, PrimeSnapshotLine} from '../engine/replay/prime-lines.ts'

/** One line of a replayed Prime stream for people; `--json` is for programs. */
export function describePrimeLine(line: PrimeLine): string {
  switch (line.fact) {
    case 'frame':
      return `${place(line)}  ${line.event ?? line.type ?? '(no type)'}  ${line.decision}${unseenText(line)}  ${line.generation}:${line.sequence}`
    case 'snapshot': {
      const {generation, sequence} = line.cursor
      return `${place(line)}  snapshot (${line.purpose ?? 'no purpose'})  ${line.decision}${unseenText(line)}  ${generation}:${sequence}`
    }
    case 'end':
      return endText(line)
  }
}

function place({conn, session}: PrimeFrameLine | PrimeSnapshotLine): string {
  return conn === undefined ? session : `${conn}  ${session}`
}

/** Some numbers are of questions that went to another client, so "up to". */
function unseenText({missing, missingGenerations}: PrimeFrameLine | PrimeSnapshotLine): string {
  const parts = [
    missing === undefined ? undefined : `up to ${missing} not seen`,
    missingGenerations === undefined ? undefined : `${missingGenerations} generations not seen`,
  ].filter((part) => part !== undefined)
  return parts.length === 0 ? '' : ` (${parts.join(', ')})`
}

function endText({sessions, malformed, unknown}: PrimeEndLine): string {
  const rows = sessions.map(({session, cursor, retired, ...counts}) => {
    const at = cursor === undefined ? '' : ` at ${cursor.generation}:${cursor.sequence}`
    const left = retired.length === 0 ? '' : `, left ${retired.join(', ')}`
    const {events, duplicates, stale, holes, notSeen, snapshots} = counts
    return `${session}${at}${left}: ${events} events, ${duplicates} duplicates, ${stale} stale, ${holes} holes (up to ${notSeen} not seen), ${snapshots} snapshots`
  })
  return ['end', ...rows, `${malformed} malformed, ${unknown} unknown`].join('; ')
}
