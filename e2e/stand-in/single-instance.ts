import {createHash} from 'node:crypto'
import {mkdirSync} from 'node:fs'
import {connect, createServer} from 'node:net'
import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'

/** What a second start hands to the first. */
export interface Handover {
  readonly argv: readonly string[]
  readonly cwd: string
  readonly additionalData: unknown
}

/**
 * Makes this process the first with a folder of user data, or hands over to the one that is. The lock is the kernel's, and
 * falls with the process; the way to its owner is a socket that lies in no folder.
 *
 * @param onSecond - called in the first for each later start
 * @returns a promise of the handover's end where another process is the first
 */
export function takeSingleInstance(
  userData: string,
  handover: Handover,
  onSecond: (handover: Handover) => void,
): Promise<void> | undefined {
  mkdirSync(userData, {recursive: true})
  const address = `\0tidemark-stand-in-${createHash('sha256').update(userData).digest('hex')}`
  const lock = new DatabaseSync(join(userData, 'single-instance.db'))
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch {
    lock.close()
    return tell(address, handover)
  }
  const server = createServer((socket) => {
    let text = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
    socket.on('end', () => {
      socket.end('heard')
      onSecond(JSON.parse(text))
    })
  })
  server.on('close', () => lock.close()) // never before the process ends; but a lock that nobody names would be collected
  server.listen(address)
  server.unref()
  return undefined
}

function tell(address: string, handover: Handover): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(address, () => socket.end(JSON.stringify(handover)))
    socket.on('error', reject)
    socket.resume().on('close', () => resolve())
  })
}
