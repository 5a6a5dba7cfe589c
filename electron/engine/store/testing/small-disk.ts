import {execFileSync} from 'node:child_process'
import {onTestFinished} from 'vitest'
import {mountDisk} from './mount-disk.ts'

/** Makes a folder a disk of its own, gone when the test ends. False where this user may not. */
export function mountSmallDisk(directory: string, size: string): boolean {
  const unmount = mountDisk(directory, size)
  if (unmount === undefined) return false
  onTestFinished(unmount)
  return true
}

export function makeReadOnly(directory: string): void {
  execFileSync('/bin/mount', ['-o', 'remount,ro', directory])
}
