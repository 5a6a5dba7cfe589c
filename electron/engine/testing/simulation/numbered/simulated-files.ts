import type {FileReader, Files} from '../../../numbered/file-transport.ts'
import type {Numbering} from './server-numbering.ts'

/** One file of a numbered stream, under a name that may come to lead to another one. */
export interface SimulatedFile {
  readonly append: (text: string) => void
  /** Another file takes its place; whoever has the old one open reads on in that. */
  readonly replace: (numbering: Numbering, text: string) => void
  /** The same file begins anew. */
  readonly rewrite: (numbering: Numbering, text: string) => void
  /** Nothing has this name, until it has again. */
  readonly setThere: (isThere: boolean) => void
  /** What stands in the file at this name. */
  readonly text: () => string
  /** Files that the engine has open. */
  readonly opened: () => number
  /** The engine died, and all that it had open is closed. */
  readonly lifeOver: () => void
  /** As the engine sees files: this one and no other. */
  readonly port: (watch: FileWatch) => Files
}

export interface FileWatch {
  /** What is read now is of this. */
  readonly reads: (numbering: Numbering) => void
  /** Closed with so much unread, of a file whose name led to another one by then. */
  readonly leftUnread: (bytes: number) => void
}

interface Inode {
  readonly ino: number
  bytes: Buffer
  numbering: Numbering
}

export function createSimulatedFile(first: Numbering): SimulatedFile {
  let inodes = 1
  let named: Inode = {ino: inodes, bytes: Buffer.alloc(0), numbering: first}
  let isThere = true
  const openFiles = new Set<object>()

  const factsOf = ({ino}: Inode) => ({ino, dev: 1, isDirectory: () => false})
  const missing = (): Error => Object.assign(new Error('no such file'), {code: 'ENOENT'})

  const openFile = (watch: FileWatch): FileReader => {
    const inode = named
    let readTo = 0
    const mine = {inode}
    openFiles.add(mine)
    return {
      async read(into, offset, length, position) {
        const piece = inode.bytes.subarray(position, position + length)
        into.set(piece, offset)
        const end = position + piece.length
        watch.reads(inode.numbering)
        readTo = Math.max(readTo, end)
        return {bytesRead: piece.length}
      },
      stat: async () => factsOf(inode),
      async close() {
        openFiles.delete(mine)
        if (inode !== named) watch.leftUnread(inode.bytes.length - readTo)
      },
    }
  }

  return {
    append(text) {
      named.bytes = Buffer.concat([named.bytes, Buffer.from(text)])
    },
    replace(numbering, text) {
      named = {ino: ++inodes, bytes: Buffer.from(text), numbering}
    },
    rewrite(numbering, text) {
      named.bytes = Buffer.from(text)
      named.numbering = numbering
    },
    setThere(now) {
      isThere = now
    },
    text: () => named.bytes.toString('utf8'),
    opened: () => openFiles.size,
    lifeOver: () => openFiles.clear(),
    port: (watch) => ({
      open: async () => {
        if (!isThere) throw missing()
        return openFile(watch)
      },
      stat: async () => {
        if (!isThere) throw missing()
        return factsOf(named)
      },
    }),
  }
}
