import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** Where the daemon listens unless it was told otherwise. (Prime note, section 1.) */
export function defaultSocket(): string {
  if (process.platform === 'win32') return '\\\\.\\pipe\\prime-agent-daemon'
  return join(tmpdir(), `prime-agent-${process.getuid?.() ?? 'user'}`, 'daemon.sock')
}

/** A worker's own socket: another framing, and a connection to it takes the supervisor's place. Never to be opened. */
export function isWorkerSocket(path: string): boolean {
  return /(^|[\\/])worker-[^\\/]*\.sock$/.test(path)
}
