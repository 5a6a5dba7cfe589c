import type {PrimeHello} from '../../../shared/frames/prime-message.ts'
import {clip} from '../../../shared/frames/summary.ts'
import {PROTOCOL_NAME, PROTOCOL_VERSION} from './passive-command.ts'

/** What a daemon calls its protocol, where it is another one than ours: then nothing is sent to it. */
export function unsupported({protocolName, protocolVersion}: PrimeHello): string | undefined {
  if (protocolName === PROTOCOL_NAME && protocolVersion === PROTOCOL_VERSION) return undefined
  return `${clip(protocolName ?? 'a protocol without a name')}, version ${protocolVersion ?? 'unknown'}`
}
