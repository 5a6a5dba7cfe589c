/** What the language, a promise, Node's inspector or an event emitter looks for on any object. */
const ASKED_OF_ANYTHING = new Set([
  'then',
  'toJSON',
  'constructor',
  'inspect',
  'prototype',
  'length',
  'name',
  'nodeType',
])

/**
 * An object of which every member that is not there throws by name when it is read, instead of being `undefined`: a test
 * must never pass because the stand-in does less than Electron would.
 */
export function lacking<T extends object>(name: string, present: T): T {
  return new Proxy(present, {
    get(target, key, receiver) {
      if (typeof key === 'symbol' || key in target || key.startsWith('_') || ASKED_OF_ANYTHING.has(key))
        return Reflect.get(target, key, receiver)
      throw new Error(`the stand-in for Electron has no ${name}.${key}`)
    },
  })
}

/** A whole part of Electron that is not here. */
export function absent(name: string): object {
  return new Proxy(class {}, {
    construct() {
      throw new Error(`the stand-in for Electron has no ${name}`)
    },
    get(target, key, receiver) {
      if (typeof key === 'symbol' || ASKED_OF_ANYTHING.has(key)) return Reflect.get(target, key, receiver)
      throw new Error(`the stand-in for Electron has no ${name}.${key}`)
    },
  })
}
