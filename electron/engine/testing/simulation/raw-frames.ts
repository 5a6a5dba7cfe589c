import type {Revision} from '../../../demo/scenario.ts'
import type {Dice} from './dice.ts'

/** A number that no server here reaches: one that is told it knows that it was restarted. */
const FAR = 2 ** 52

/**
 * Bytes written once and kept nowhere: what a newer, a broken or a malicious server may say. Vectors are rare from servers
 * that know none, because afterwards their bare numbers move nothing, which is a way of life of its own.
 */
export function drawRawFrame(dice: Dice, revision: Revision, n: number): string {
  const vectors = revision === 'r3' || dice.chance(0.2)
  const room = dice.pick(['room-a', 'r:x:y', '__proto__', 'constructor', 'räume-✓'])
  const count = dice.below(50)
  const typed = `"type":"message","n":${n},"payload":{"body":"ä ✓ ${n}"}`
  const vector = `{${JSON.stringify(`r:${room}`)}:${count},"__proto__":${n},"odd":${count}}`
  const always: readonly [string, ...string[]] = [
    `event: message\ndata: {"type":"message","n":${n},"body":"cut o\n\n`,
    `event: message\ndata: [${n}]\n\n`,
    `event: message\ndata: {${typed},"position":{"r:${room}":${count},"s":-1}}\n\n`,
    `event: message\ndata: {${typed},"position":null}\n\n`,
    `id: {"s":\nevent: message\ndata: {${typed}}\n\n`,
    `event: gap\ndata: {"n":${n},"from_sequence":3,"resumed_at":-1,"reason":"nonsense"}\n\n`,
    `event: gap\ndata: {"n":${n},"resumed_at":2,"resumed_position":{"s":2,"r:${room}":2.5}}\n\n`,
    `event: gap\ndata: {"n":${n},"reason":"nothing is said of where"}\n\n`,
    `event: gap\ndata: {"n":${n},"resumed_at":${dice.pick([0, FAR])},"rooms":["${room}"]}\n\n`,
    `: a comment\nretry: 5\nevent: message\nid: abc\nid: 007\ndata: {${typed},\ndata:"more":1}\n\n`,
    `event: something_new\ndata: {"n":${n}}\n\n`,
    `id: 12\nevent: session_command\ndata: {"n":${n},"position":{"s":9}}\n\n`,
    `event: credential\ndata: {"n":${n},"secret":"x"}\n\n`,
    `event: relay\ndata: {"n":${n},\n\n`,
    `id: 5\n\nevent: message\ndata\n\n: keepalive\n\n`,
  ]
  const withVector: readonly [string, ...string[]] = [
    `event: message\ndata: {${typed},"position":${vector}}\n\n`,
    `event: something_new\ndata: {"n":${n},"position":${vector}}\n\n`,
    `id: ${vector}\nevent: message\ndata: {${typed}}\n\n`,
    `id: ${FAR}\nevent: message\ndata: {${typed},"position":{}}\n\n`,
    `id: ${FAR}\nevent: message\ndata: {${typed}}\n\n`,
    `event: gap\ndata: {"n":${n},"resumed_position":{},"reason":"all is gone"}\n\n`,
    `event: gap\ndata: {"n":${n},"resumed_at":0,"resumed_position":${vector},"rooms":["${room}"]}\n\n`,
    `event: gap\ndata: {"n":${n},"resumed_at":0,"resumed_position":{"s":0,"r:room-a":${count}}}\n\n`,
    `event: gap\ndata: {"n":${n},"resumed_at":${FAR},"resumed_position":{"s":${FAR},"r:${room}":${count}}}\n\n`,
  ]
  return vectors && dice.chance(0.5) ? dice.pick(withVector) : dice.pick(always)
}
