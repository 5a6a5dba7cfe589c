import {execFileSync} from 'node:child_process'
import {readFileSync} from 'node:fs'
import {cpus, loadavg, release, totalmem, type} from 'node:os'

/** What the figures were measured on: none of them means anything without it. */
export interface Machine {
  readonly date: string
  readonly processor: string
  readonly cores: number
  readonly memoryGb: number
  readonly system: string
  readonly node: string
  readonly sqlite: string
  /** Of the directory that was measured in; `unknown` where the system does not tell it. */
  readonly fileSystem: string
  /** Mean number of running programs in the minute before. */
  readonly load: number
}

export function describeThisMachine(directory: string): Machine {
  const processors = cpus()
  return {
    date: new Date().toISOString().slice(0, 10),
    processor: processors[0]?.model.trim() ?? 'unknown',
    cores: processors.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${distribution()}${type()} ${release()}`,
    node: process.versions.node,
    sqlite: process.versions['sqlite'] ?? 'unknown',
    fileSystem: fileSystemOf(directory),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
  }
}

function distribution(): string {
  try {
    const name = /^PRETTY_NAME="(.*)"$/m.exec(readFileSync('/etc/os-release', 'utf8'))?.[1]
    return name === undefined ? '' : `${name}, `
  } catch {
    return '' // not a Linux
  }
}

function fileSystemOf(directory: string): string {
  try {
    return execFileSync('findmnt', ['-n', '-o', 'FSTYPE', '-T', directory], {encoding: 'utf8'}).trim()
  } catch {
    return 'unknown' // no such command, or one that takes other options
  }
}
