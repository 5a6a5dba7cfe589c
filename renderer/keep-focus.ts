/** Places that may have the focus when what had it is gone: the nearest of them that is left. */
const HOMES = 'form, section, aside, main, [role="tabpanel"]'

/**
 * Keeps the focus where the reader is. What has it may go away with its own click: a form that was sent, a row that was
 * answered, a button that is off while its request runs. The browser would then leave it to the whole page, from where the
 * keyboard begins anew. Returns its own undo.
 */
export function keepFocus({document, MutationObserver}: Window & typeof globalThis): () => void {
  let last: HTMLElement | undefined
  let homes: readonly HTMLElement[] = []
  const look = (): void => {
    const active = document.activeElement
    if (last === undefined || (active !== null && active !== document.body)) return
    if (last.isConnected && !last.matches(':disabled')) return last.focus({preventScroll: true})
    if (last.isConnected) return // it comes back when its request is answered
    const home = homes.find((one) => one.isConnected) ?? document.querySelector<HTMLElement>('main') ?? undefined
    if (home === undefined) return
    if (!home.hasAttribute('tabindex')) home.tabIndex = -1
    home.focus({preventScroll: true})
  }
  const observer = new MutationObserver(look)
  const onFocus = ({target}: FocusEvent): void => {
    if (!(target instanceof HTMLElement)) return
    last = target
    homes = homesOf(target)
    observer.disconnect()
    // Of a page that lives, only where the focus is, and what may take that away as a whole.
    const around = target.closest<HTMLElement>('.side, .add-source, .upper, .leave-row')
    if (around !== null) observer.observe(around, {childList: true, subtree: true, attributeFilter: ['disabled']})
    for (const parent of parentsOf(around ?? target)) observer.observe(parent, {childList: true})
  }
  const onPress = ({target}: PointerEvent): void => {
    // Whoever clicks beside everything means to leave.
    if (target instanceof Element && target.closest('button, a, input, select, textarea, [tabindex]') === null)
      last = undefined
  }
  const onKey = ({key}: KeyboardEvent): void => {
    if (key === 'Escape') last = undefined // it leaves a field on purpose
  }
  document.addEventListener('focusin', onFocus)
  document.addEventListener('pointerdown', onPress)
  document.addEventListener('keydown', onKey, true)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', onFocus)
    document.removeEventListener('pointerdown', onPress)
    document.removeEventListener('keydown', onKey, true)
  }
}

/** Nearest first. Kept, because a part that is taken out of the page no longer knows where it was. */
function homesOf(target: HTMLElement): readonly HTMLElement[] {
  return parentsOf(target).filter((parent) => parent.matches(HOMES))
}

function parentsOf(target: HTMLElement): readonly HTMLElement[] {
  const parents: HTMLElement[] = []
  for (let parent = target.parentElement; parent !== null; parent = parent.parentElement) parents.push(parent)
  return parents
}
