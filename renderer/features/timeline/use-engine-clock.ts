import {useCallback, useRef} from 'react'
import {useAppContext} from '../../state/use-app.ts'

/** The engine's clock, epoch ms. It stands still while the engine cannot be reached: nothing later is known of. */
export function useEngineClock(): () => number {
  const {store} = useAppContext()
  const known = useRef<number | undefined>(undefined)
  return useCallback(() => {
    const {link, clockOffset, now} = store.getState()
    if (link.kind === 'ready' || known.current === undefined) known.current = Date.now() + clockOffset
    return Math.max(known.current, link.kind === 'ready' ? now : 0)
  }, [store])
}
