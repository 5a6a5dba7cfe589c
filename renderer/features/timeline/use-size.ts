import {type RefObject, useEffect, useState} from 'react'

export interface Size {
  readonly width: number
  readonly height: number
}

/** CSS px of an element, as it changes; 0 × 0 before it is laid out. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({width: 0, height: 0})
  useEffect(() => {
    if (element.current === null) return
    const observer = new ResizeObserver(([entry]) => {
      if (entry === undefined) return
      const {width, height} = entry.contentRect
      setSize({width: Math.floor(width), height: Math.floor(height)})
    })
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return size
}
