import {execFileSync} from 'node:child_process'
import {onTestFinished} from 'vitest'

/** Makes a folder a disk of its own, gone when the test ends. False where this user may not. */
export function mountSmallDisk(directory: string, size: string): boolean {
  try {
    execFileSync('/bin/mount', ['-t', 'tmpfs', '-o', `size=${size}`, 'tmpfs', directory], {stdio: 'ignore'})
  } catch {
    return false
  }
  onTestFinished(() => void execFileSync('/bin/umount', ['-l', directory]))
  return true
}

export function makeReadOnly(directory: string): void {
  execFileSync('/bin/mount', ['-o', 'remount,ro', directory])
}
