import {parseSync} from 'vite'

/** Lines that hold code: neither empty nor only comment, so that nobody saves on comments to keep a limit. */
export function countCodeLines(path: string, text: string): number {
  const code = parseSync(path, text).comments.reduceRight(
    (rest, {start, end}) => rest.slice(0, start) + rest.slice(start, end).replaceAll(/[^\n]/g, '') + rest.slice(end),
    text,
  )
  return code.split('\n').filter((line) => line.trim() !== '').length
}
