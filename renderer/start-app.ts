import {createClient} from '../shared/contract/client.ts'
import {connect} from './connect.ts'
import {keepFocus} from './keep-focus.ts'
import {type IdleDeps, markIdle} from './mark-idle.ts'
import {readAddress, writeAddress} from './page-address.ts'
import {createActions} from './state/actions.ts'
import {createBatchInbox} from './state/apply-batch.ts'
import type {Link} from './state/engine-slice.ts'
import {forgetLive} from './state/forget-live.ts'
import {createAppStore} from './state/store.ts'
import type {App} from './state/use-app.ts'
import {watchSelection} from './state/watch-selection.ts'
import {clockOf} from './ui/format.ts'

/** How often ages and countdowns move on, in ms. */
const TICK_MS = 250
/** How often size and number of the history are asked for, in ms. */
const INFO_MS = 10_000
/** A hidden page gets no animation frames; its inbox is emptied this often, in ms. */
const HIDDEN_FLUSH_MS = 500

/** Puts store, transport and engine together. Lives as long as the page. */
export function startApp(window: Window & typeof globalThis): App {
  const store = createAppStore()
  const links: Link[] = []
  let onLink = (link: Link): void => {
    links.push(link)
  }
  const transport = connect(window, (link) => onLink(link))
  const client = createClient(markIdle(transport, idleMarkOf(window)))
  const actions = createActions({store, client, localNow: Date.now, clockOf})
  onLink = (link) => {
    store.getState().setLink(link)
    if (link.kind !== 'ready') return
    store.setState(forgetLive(store.getState()))
    void actions.reload()
  }
  for (const link of links) onLink(link)

  const inbox = createBatchInbox(
    store,
    (flush) => {
      if (window.document.hidden) window.setTimeout(flush, HIDDEN_FLUSH_MS)
      else window.requestAnimationFrame(flush)
    },
    Date.now,
    () => void actions.reload(),
  )
  client.subscribe(inbox.receive, (detail) => store.getState().setProblem({kind: 'failed', detail}))

  const tick = () => store.getState().tick(Date.now())
  tick()
  window.setInterval(tick, TICK_MS)
  window.setInterval(() => {
    if (store.getState().link.kind === 'ready' && !window.document.hidden) void actions.refreshInfo()
  }, INFO_MS)

  watchSelection(store, actions)
  keepFocus(window)
  readAddress(window, store)
  writeAddress(window, store)
  return {store, actions}
}

/** `data-idle` on the page's root element. */
function idleMarkOf(window: Window): IdleDeps {
  return {
    later: (ms, run) => void window.setTimeout(run, ms),
    // The first frame draws what is due, the second begins when it has been.
    afterPaint: (run) => window.requestAnimationFrame(() => window.requestAnimationFrame(run)),
    show: (idle) => {
      window.document.documentElement.dataset['idle'] = String(idle)
    },
  }
}
