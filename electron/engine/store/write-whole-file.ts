import {closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync} from 'node:fs'
import {dirname} from 'node:path'

/**
 * Readable by this user only. Whoever reads the file finds the old text or the new one, also after a power cut. Throws what the
 * disk says. For files that only the owner of a profile writes: what a killed one left half written, a secret perhaps, goes.
 */
export function writeWholeFile(path: string, text: string): void {
  const unfinished = `${path}.unfinished`
  try {
    rmSync(unfinished, {force: true})
    withFile(unfinished, 'w', (file) => {
      writeSync(file, text)
      fsyncSync(file)
    })
    renameSync(unfinished, path)
  } catch (cause) {
    rmSync(unfinished, {force: true})
    throw cause
  }
  if (process.platform !== 'win32') withFile(dirname(path), 'r', fsyncSync) // the rename itself; Windows opens no folders
}

function withFile(path: string, flags: 'r' | 'w', work: (file: number) => void): void {
  const file = openSync(path, flags, 0o600)
  try {
    work(file)
  } finally {
    closeSync(file)
  }
}
