import type {Result} from '../../../shared/base/result.ts'

/** Called as it comes: nothing of it is ever held back, and nothing can be. */
export interface Heard {
  readonly onBytes: (chunk: Uint8Array) => void
  /** Once, after everything else. The system's word for a break; absent where the other side ended it. */
  readonly onEnd: (code: string | undefined) => void
}

export interface OpenSocket {
  readonly send: (text: string) => void
  readonly close: () => void
}

/** How a daemon is reached: a local socket today. */
export interface SocketTransport {
  /** @returns the system's word, such as ENOENT, where nobody answers within 3 s. The signal ends the connection, too. */
  readonly connect: (path: string, heard: Heard, signal: AbortSignal) => Promise<Result<OpenSocket, string>>
  /** Tells when the socket comes or goes in its folder, where the system can. Returns its own undo. */
  readonly watchFolder: (path: string, onChange: () => void) => () => void
}
