/** Runs by their marks, with the number of the process, where it is known already. */
export type Running = Map<string, number | undefined>

/** What a watchdog is told, one line each: a run is about to be started, was started as a process, is over. */
export type WatchdogWord =
  | {readonly kind: 'announced'; readonly mark: string}
  | {readonly kind: 'started'; readonly mark: string; readonly pid: number}
  | {readonly kind: 'ended'; readonly mark: string}

/** All that a watchdog ever says. */
export const WATCHDOG_IS_UP = 'up\n'

export function sayWord(word: WatchdogWord): string {
  const pid = word.kind === 'started' ? ` ${word.pid}` : ''
  return `${word.kind} ${word.mark}${pid}\n`
}

/** @param over - marks of runs that ended since somebody looked for what they left */
export function readWord(line: string, running: Running, over: Set<string>): void {
  const [kind, mark, pid] = line.split(' ')
  if (mark === undefined) return
  if (kind === 'announced') running.set(mark, undefined)
  if (kind === 'started') running.set(mark, Number(pid))
  if (kind !== 'ended') return
  running.delete(mark)
  over.add(mark)
}
