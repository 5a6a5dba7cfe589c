import {randomBytes, timingSafeEqual} from 'node:crypto'

/** A fresh secret for one run of the host. Whoever has it may do everything the screen can. */
export function makeToken(): string {
  return randomBytes(24).toString('base64url')
}

export function sameToken(given: unknown, token: string): boolean {
  if (typeof given !== 'string') return false
  const [a, b] = [Buffer.from(given), Buffer.from(token)]
  return a.length === b.length && timingSafeEqual(a, b)
}
