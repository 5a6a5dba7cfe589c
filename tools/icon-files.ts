/** One picture of an icon: a PNG, square. */
export interface IconPicture {
  /** Its width and height in px. */
  readonly size: number
  readonly png: Buffer
}

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex')

/** Width and height, as a PNG's own header tells them. Throws where it is none. */
export function pngSize(png: Buffer): {readonly width: number; readonly height: number} {
  if (!png.subarray(0, 8).equals(PNG_SIGNATURE)) throw new Error('not a PNG')
  return {width: png.readUInt32BE(16), height: png.readUInt32BE(20)}
}

/** Windows' container: a directory of 16 bytes a picture, then the pictures. 0 stands for 256. */
export function packIco(pictures: readonly IconPicture[]): Buffer {
  const head = Buffer.alloc(6 + 16 * pictures.length)
  head.writeUInt16LE(1, 2) // icons, not cursors
  head.writeUInt16LE(pictures.length, 4)
  let at = head.length
  for (const [index, {size, png}] of pictures.entries()) {
    if (size > 256) throw new Error(`Windows knows no icon of ${size} px`)
    const entry = 6 + 16 * index
    head.writeUInt8(size % 256, entry)
    head.writeUInt8(size % 256, entry + 1)
    head.writeUInt16LE(1, entry + 4) // colour planes
    head.writeUInt16LE(32, entry + 6) // bits a px
    head.writeUInt32LE(png.length, entry + 8)
    head.writeUInt32LE(at, entry + 12)
    at += png.length
  }
  return Buffer.concat([head, ...pictures.map(({png}) => png)])
}

/** Apple's names of the sizes, at one px a point and at two. */
const ICNS_TYPES: Readonly<Record<number, readonly string[]>> = {
  32: ['ic11'],
  64: ['ic12'],
  128: ['ic07'],
  256: ['ic08', 'ic13'],
  512: ['ic09', 'ic14'],
  1024: ['ic10'],
}

/** Apple's container: chunks of a name, a length that counts its own head of 8 bytes, and a picture. */
export function packIcns(pictures: readonly IconPicture[]): Buffer {
  const chunks = pictures.flatMap(({size, png}) => (ICNS_TYPES[size] ?? []).map((type) => chunk(type, png)))
  return chunk('icns', Buffer.concat(chunks))
}

function chunk(name: string, content: Buffer): Buffer {
  const head = Buffer.alloc(8)
  head.write(name, 'latin1')
  head.writeUInt32BE(content.length + 8, 4)
  return Buffer.concat([head, content])
}
