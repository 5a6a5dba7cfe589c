import {fstatSync} from 'node:fs'
import {Socket} from 'node:net'

/** A descriptor over which whoever leads this process never says anything, and which closes when it ends. */
const LEADER = 3

/** Ends this process when the one that leads it is gone, however that ended: nobody would stop it any more. */
export function endWithLeader(): void {
  if (!isSocket(LEADER)) return // started in another way
  const leader = new Socket({fd: LEADER, readable: true, writable: false})
  leader.on('error', end).on('close', end).resume()
}

function isSocket(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isSocket()
  } catch {
    return false
  }
}

function end(): void {
  process.kill(process.pid, 'SIGKILL')
}
