import {useSyncExternalStore} from 'react'

const QUERY = '(prefers-reduced-motion: reduce)'

/** Whether the reader asked the system for less motion, as it is now. */
export function useReducedMotion(): boolean {
  return useSyncExternalStore(
    (onChange) => {
      const query = matchMedia(QUERY)
      query.addEventListener('change', onChange)
      return () => query.removeEventListener('change', onChange)
    },
    () => matchMedia(QUERY).matches,
  )
}
