import {type RefObject, useEffect, useRef} from 'react'

/** For a form that was asked for: whoever opened it goes on in its first field. */
export function useFirstField<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null)
  useEffect(() => part.current?.querySelector<HTMLElement>('input, textarea, select')?.focus(), [])
  return part
}
