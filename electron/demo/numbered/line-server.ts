import {createServer, type Server, type Socket} from 'node:net'
import {createLineReader} from '../line-reader.ts'
import type {Readers} from './readers.ts'
import {readFirstLine, refusalMessage} from './resume-ask.ts'

/**
 * JSON lines over a socket.
 *
 * @param asks - `first-line`: nothing is sent before a client has asked. `none`: everything is sent at once to everybody.
 */
export function createLineServer(readers: Readers, asks: 'first-line' | 'none'): Server {
  return createServer((socket) => {
    // A reader that breaks off is closed in the end, and that is all there is to know.
    socket.on('error', () => {})
    const speak = (line: string): void => enter(readers, socket, line)
    if (asks === 'none') return speak('')
    let asked = false
    socket.on(
      'data',
      createLineReader((line) => {
        if (!asked) speak(line)
        asked = true
      }),
    )
  })
}

function enter(readers: Readers, socket: Socket, line: string): void {
  const refused = readers.enter(line, readFirstLine(line), () => ({
    speaks: 'lines',
    write: (text) => socket.write(text),
    end: () => socket.end(),
    destroy: () => socket.destroy(),
    onGone: (gone) => socket.on('close', gone),
  }))
  if (refused !== undefined) socket.end(`${JSON.stringify(refusalMessage(refused))}\n`)
}
