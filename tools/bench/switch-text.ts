/** Frames of a Switch agent stream as their bytes, with sequences that go on: about 350 bytes each. */
export interface SwitchText {
  /** The next frames, each with its blank line. */
  readonly take: (count: number) => Buffer
}

const ROOMS = 20

export function createSwitchText(): SwitchText {
  let own = 0
  const rooms = new Map<number, number>()
  const next = (): string => {
    own += 1
    const room = (own * 7919) % ROOMS
    const at = (rooms.get(room) ?? 0) + 1
    rooms.set(room, at)
    const payload = {
      sender: '@ada:example.org',
      sender_name: 'ada',
      message_id: `$${own}`,
      body: `message ${own}, ${PAD}`,
    }
    const data = {
      type: 'message',
      room_id: `room-${room}`,
      payload,
      sequence: own,
      position: {s: own, [`r:room-${room}`]: at},
    }
    return `id: ${own}\nevent: message\ndata: ${JSON.stringify(data)}\n\n`
  }
  return {take: (count) => Buffer.from(Array.from({length: count}, next).join(''))}
}

/** Brings a frame to 350 bytes. */
const PAD = 'with some words about what was done, what comes next, and who was asked for what'

/** Pieces as a transport would bring them. */
export function* cutInto(body: Buffer, bytes: number): Generator<Buffer> {
  for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes)
}
