import type {Page} from '@playwright/test'

/** Pairs of texts of which one is drawn over the other where both can be seen. */
export function findOverlaps(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    interface Piece {
      readonly text: string
      readonly element: Element
      readonly box: DOMRect
    }
    /** Less than this is a line's own leading over the next one's, in CSS px. */
    const TOUCH_PX = 2

    const pieces = visiblePieces()
    const found: string[] = []
    for (const [index, one] of pieces.entries())
      for (const other of pieces.slice(index + 1)) {
        const overlap = intersect(one.box, other.box)
        if (one.element === other.element || overlap.width <= TOUCH_PX || overlap.height <= TOUCH_PX) continue
        if (bothShowAt(one, other, overlap)) found.push(`“${one.text}” and “${other.text}”`)
      }
    return found

    function visiblePieces(): Piece[] {
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const pieces: Piece[] = []
      for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
        const {parentElement: element} = node
        const text = node.textContent?.trim() ?? ''
        if (element === null || text === '' || !element.checkVisibility({visibilityProperty: true})) continue
        const range = document.createRange()
        range.selectNodeContents(node)
        for (const line of range.getClientRects()) {
          const box = clipped(line, element)
          if (box.width > TOUCH_PX && box.height > TOUCH_PX) pieces.push({text: text.slice(0, 60), element, box})
        }
      }
      return pieces
    }

    /** What is left of a box after everything around it that hides what sticks out. */
    function clipped(box: DOMRect, element: Element): DOMRect {
      let left: DOMRect = intersect(box, new DOMRect(0, 0, innerWidth, innerHeight))
      for (let around: Element | null = element; around !== null; around = around.parentElement)
        if (getComputedStyle(around).overflow !== 'visible') left = intersect(left, around.getBoundingClientRect())
      return left
    }

    function intersect(a: DOMRect, b: DOMRect): DOMRect {
      const [x, y] = [Math.max(a.left, b.left), Math.max(a.top, b.top)]
      const [right, bottom] = [Math.min(a.right, b.right), Math.min(a.bottom, b.bottom)]
      return new DOMRect(x, y, Math.max(0, right - x), Math.max(0, bottom - y))
    }

    /** A table's head that stays in view covers the rows that pass below it; that is no overlap. */
    function bothShowAt(one: Piece, other: Piece, {x, y, width, height}: DOMRect): boolean {
      const above: Element[] = []
      for (const element of document.elementsFromPoint(x + width / 2, y + height / 2)) {
        above.push(element)
        if (isOpaque(element)) break
      }
      return above.includes(one.element) && above.includes(other.element)
    }

    function isOpaque(element: Element): boolean {
      const color = getComputedStyle(element).backgroundColor
      return color !== 'transparent' && !/, 0\)$|\/ 0\)$/.test(color)
    }
  })
}

/** What sticks out of the window, or has to be scrolled sideways to be read. */
export function findOverflows(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    const found: string[] = []
    const root = document.documentElement
    if (root.scrollWidth > root.clientWidth) found.push(`the page: ${root.scrollWidth} of ${root.clientWidth} px`)
    for (const element of document.body.querySelectorAll('*')) {
      const scrolls = ['auto', 'scroll'].includes(getComputedStyle(element).overflowX)
      if (scrolls && element.scrollWidth > element.clientWidth + 1)
        found.push(`${element.tagName} ${element.className}: ${element.scrollWidth} of ${element.clientWidth} px`)
    }
    return found
  })
}
