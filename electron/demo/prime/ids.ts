/** Identifiers that look like the daemon's own, all different within a run and between runs of other names. */
export interface Ids {
  /** 12 hexadecimal digits: an active session, a generation, a client. */
  readonly short: () => string
  /** 8-4-4-4-12: a session, a supervisor. */
  readonly uuid: () => string
  /** 5 digits. */
  readonly pid: () => number
}

/** @param run - unlike that of any other run; the same one brings the same identifiers again */
export function createIds(run: string): Ids {
  let count = 0
  const digits = (length: number): string => {
    count += 1
    let text = ''
    for (let part = 0; text.length < length; part++)
      text += mix(`${run}/${count}/${part}`).toString(16).padStart(8, '0')
    return text.slice(0, length)
  }
  return {
    short: () => digits(12),
    uuid: () => digits(32).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    pid: () => 10_000 + (Number.parseInt(digits(8), 16) % 50_000),
  }
}

/** The same for the same name, in every run: who comes back is known again. */
export function durableId(name: string): string {
  return createIds(name).uuid()
}

/** FNV-1a, and a finish that spreads the last characters over all bits. */
function mix(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
