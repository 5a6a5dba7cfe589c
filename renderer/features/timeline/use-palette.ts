import {type RefObject, useEffect, useState} from 'react'
import {type Palette, readPalette} from './palette.ts'

/** The theme's colours, read again when the system changes between light and dark. */
export function usePalette(element: RefObject<HTMLElement | null>): Palette | undefined {
  const [palette, setPalette] = useState<Palette | undefined>(undefined)
  useEffect(() => {
    const dark = matchMedia('(prefers-color-scheme: dark)')
    const read = () => {
      if (element.current === null) return
      const style = getComputedStyle(element.current)
      setPalette(readPalette((property) => style.getPropertyValue(property)))
    }
    read()
    dark.addEventListener('change', read)
    return () => dark.removeEventListener('change', read)
  }, [element])
  return palette
}
