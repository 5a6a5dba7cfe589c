import {readdirSync, readFileSync} from 'node:fs'
import {join} from 'node:path'
import {expect, test} from 'vitest'
import {packIcns, packIco, pngSize} from './icon-files.ts'

const icons = join(import.meta.dirname, '..', 'icons')
const linux = readdirSync(join(icons, 'linux')).map((name) => ({name, png: readFileSync(join(icons, 'linux', name))}))

/** What a reader of the format finds, by the format's own description and not by our writer. */
function readIco(file: Buffer): readonly number[] {
  expect(file.readUInt16LE(2)).toBe(1)
  return Array.from({length: file.readUInt16LE(4)}, (_, index) => {
    const entry = 6 + 16 * index
    const at = file.readUInt32LE(entry + 12)
    const {width, height} = pngSize(file.subarray(at, at + file.readUInt32LE(entry + 8)))
    expect([width, height].map((px) => px % 256)).toEqual([file.readUInt8(entry), file.readUInt8(entry + 1)])
    return width
  })
}

function readIcns(file: Buffer): readonly string[] {
  expect(file.toString('latin1', 0, 4)).toBe('icns')
  expect(file.readUInt32BE(4)).toBe(file.length)
  const found: string[] = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at + 4)) {
    const {width} = pngSize(file.subarray(at + 8, at + file.readUInt32BE(at + 4)))
    found.push(`${file.toString('latin1', at, at + 4)} ${width}`)
  }
  return found
}

test('Linux has a picture of each usual size', () => {
  expect(linux.map(({name, png}) => [name, pngSize(png).width, pngSize(png).height])).toEqual(
    [128, 16, 256, 32, 48, 512, 64].map((size) => [`${size}x${size}.png`, size, size]),
  )
})

test('Windows finds its sizes in its container', () => {
  expect(readIco(readFileSync(join(icons, 'icon.ico')))).toEqual([16, 32, 48, 64, 128, 256])
})

test('macOS finds its sizes in its container, by their names', () => {
  const sizes = ['ic11 32', 'ic12 64', 'ic07 128', 'ic08 256', 'ic13 256', 'ic09 512', 'ic14 512', 'ic10 1024']
  expect(readIcns(readFileSync(join(icons, 'icon.icns')))).toEqual(sizes)
})

test('what is no PNG is refused, and what Windows does not know', () => {
  expect(() => pngSize(Buffer.from('GIF89a, and more than 24 bytes'))).toThrow('not a PNG')
  expect(() => packIco([{size: 512, png: Buffer.alloc(0)}])).toThrow('512')
  expect(packIcns([{size: 48, png: Buffer.alloc(4)}])).toHaveLength(8) // a size that Apple has no name for
})
