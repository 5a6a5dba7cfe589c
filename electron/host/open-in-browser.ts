import {rmSync} from 'node:fs'
import {pathToFileURL} from 'node:url'
import open from 'open'
import {writeWholeFile} from '../engine/store/write-whole-file.ts'

/**
 * Opens the page without naming its token to anybody: a browser's arguments can be read by every user of this machine, so
 * it is given a file that only this user may read, which leads on to the address. False where no browser could be started.
 *
 * @param door - where that file is put; the caller takes it away when the address is of no use any more
 * @param launch - rejects where there is no browser
 */
export async function openInBrowser(
  url: string,
  door: string,
  launch: (target: string) => Promise<unknown> = open,
): Promise<boolean> {
  try {
    writeWholeFile(door, leadingTo(url))
    await launch(pathToFileURL(door).href)
    return true
  } catch {
    rmSync(door, {force: true})
    return false
  }
}

/** The address is our own: digits, dots and base64url, nothing that HTML would read otherwise. */
function leadingTo(url: string): string {
  return `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><title>Tidemark</title>
<meta http-equiv="refresh" content="0; url=${url}"><a href="${url}">Open Tidemark</a>
`
}
