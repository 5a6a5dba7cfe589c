import type {EventEmitter} from 'node:events'
import {lacking} from './lacking.ts'

/** Emits an event that whoever listens may prevent; true where nobody did. */
export function emitPreventable(
  emitter: EventEmitter,
  name: string,
  detail: object = {},
  ...rest: readonly unknown[]
): boolean {
  const event = {
    ...detail,
    defaultPrevented: false,
    preventDefault: () => {
      event.defaultPrevented = true
    },
  }
  emitter.emit(name, lacking('Event', event), ...rest)
  return !event.defaultPrevented
}
