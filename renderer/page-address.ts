import {shownSource} from './state/selectors.ts'
import type {AppStore} from './state/store.ts'

/** Takes over what the address names: `#source=…&frame=…`, and `ended=…` where the page before this one ended by itself. */
export function readAddress(window: Window, store: AppStore): void {
  const named = new URLSearchParams(window.location.hash.slice(1))
  const source = named.get('source')
  const frame = Number(named.get('frame') ?? Number.NaN)
  const ended = named.get('ended')
  const {selectSource, selectFrame, setEndedBefore, now} = store.getState()
  if (ended !== null) {
    setEndedBefore(ended)
    named.delete('ended') // told once, and not by every reload
    replaceAddress(window, named)
  }
  if (source === null) return
  selectSource(source)
  if (Number.isSafeInteger(frame) && frame >= 0) selectFrame(source, frame, now)
}

/** Keeps the address naming the selection, so that it can be copied. It is no new page: the back button stays what it was. */
export function writeAddress(window: Window, store: AppStore): void {
  store.subscribe((state, before) => {
    const shown = shownSource(state)
    if (shown === shownSource(before) && state.selectedFrame === before.selectedFrame) return
    const named = new URLSearchParams()
    if (shown !== undefined) named.set('source', shown)
    if (state.selectedFrame !== undefined) named.set('frame', String(state.selectedFrame))
    replaceAddress(window, named)
  })
}

function replaceAddress({history, location}: Window, named: URLSearchParams): void {
  const text = named.toString()
  history.replaceState(undefined, '', `${location.pathname}${text === '' ? '' : `#${text}`}`)
}
