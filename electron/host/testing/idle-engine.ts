import type {Engine} from '../../engine/engine.ts'

/** An engine that nothing is asked of. The cast is sound as long as a test only opens and closes sockets. */
export function idleEngine(): Engine {
  return {handlers: {}, subscribe: () => () => {}, close: async () => {}} as unknown as Engine
}
