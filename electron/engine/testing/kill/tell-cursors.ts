import {cursorOfPosition} from '../../../../shared/cursor/cursor-position.ts'
import type {OpenNumbered} from '../../numbered/transport.ts'
import type {SocketTransport} from '../../prime/transport.ts'
import {nameOfMessage} from './frame-names.ts'
import type {Telling} from './tell-frames.ts'

/* The shipped transports of streams of cursors, which say what came, and from where they are asked to go on. */

export function tellingSocket(transport: SocketTransport, {pass}: Telling): SocketTransport {
  return {
    ...transport,
    connect(path, heard, signal) {
      const decoder = new TextDecoder()
      let tail = ''
      const onBytes = (chunk: Uint8Array): void => {
        const lines = (tail + decoder.decode(chunk, {stream: true})).split('\n')
        tail = lines.pop() ?? ''
        const frames = lines.filter((line) => line.startsWith('{"type":"session_event"')).map(nameOfMessage)
        if (frames.length > 0) pass({point: 'received', frames})
        heard.onBytes(chunk)
      }
      return transport.connect(path, {...heard, onBytes}, signal)
    },
  }
}

export function tellingNumbered(openNumbered: OpenNumbered, {pass, held}: Telling): OpenNumbered {
  return (settings) => {
    const transport = openNumbered(settings)
    return {
      async open(ask, signal) {
        const {from} = ask
        const durable = cursorOfPosition(held)
        if (from !== undefined)
          pass({point: 'opening', frames: [], cursor: {asked: textOf(from), held: textOf(durable)}})
        const opened = await transport.open(ask, signal)
        if (!opened.ok) return opened
        const stream = opened.value
        async function* telling(): typeof stream {
          for (;;) {
            const next = await stream.next()
            if (next.done) return next.value
            const frames = next.value.flatMap((one) => (one.kind === 'message' ? [nameOfMessage(one.text)] : []))
            if (frames.length > 0) pass({point: 'received', frames})
            yield next.value
          }
        }
        return {ok: true, value: telling()}
      },
    }
  }
}

function textOf(cursor: ReturnType<typeof cursorOfPosition>): string {
  return cursor === undefined ? 'none' : `${cursor.generation}:${cursor.sequence}`
}
