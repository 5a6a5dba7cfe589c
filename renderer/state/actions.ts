import type {Result} from '../../shared/base/result.ts'
import type {Client} from '../../shared/contract/client.ts'
import type {Channel, FrameDetail, Input, Output, RequestError} from '../../shared/contract/contract.ts'
import type {FrameRow} from '../../shared/contract/rows.ts'
import {mayChange, WINDOW_ROWS} from './history-slice.ts'
import {type AtClock, parseQuery} from './parse-query.ts'
import {attemptsOfFrame} from './selectors.ts'
import type {AppState, AppStore} from './store.ts'

const PAGE = 200
const LEDGER_PAGE = 200
/** Newer rows shown above a frame that the list jumps to. Ids run over all sources, so fewer may match. */
const AROUND = 100
const UNSETTLED_PAGE = 50
const UNSETTLED = ['pending', 'rejected', 'skipped'] as const

/** A frame whose callback is open or failed, and what came of the same frame when it was delivered again, if it was. */
export interface UnsettledFrame {
  readonly frame: FrameRow
  readonly later?: FrameDetail['later']
}

/** What a screen can do that needs the engine. Failures of background work stand in `problem`; a user's own requests go by `request`. */
export interface Actions {
  /** Asks for everything visible: at the start, after every reconnect, after lost batches. No reader's place moves. */
  readonly reload: () => Promise<void>
  /** The size of the history, which no batch tells. */
  readonly refreshInfo: () => Promise<void>
  readonly reloadList: () => Promise<void>
  readonly loadOlder: () => Promise<void>
  readonly loadOlderGaps: () => Promise<void>
  readonly loadOlderHoles: () => Promise<void>
  readonly loadOlderNumberings: () => Promise<void>
  /** Asks the daemons on this machine for their sessions anew: not free for them, so only where the user looks. */
  readonly refreshDaemons: () => Promise<void>
  readonly loadDetail: (frame: number) => Promise<void>
  /** Shows the part of the history around a frame in the event list, where the list does not hold it. */
  readonly showInList: (frame: number) => Promise<void>
  /** Whether the screen moves on with what arrives. On: back to the newest rows, taking in what waited. Off: the list stands still. */
  readonly setLive: (live: boolean) => void
  /** The list alone goes back to the newest rows, where its reader scrolled there. */
  readonly follow: () => void
  /** Frames whose callback is open or failed, with what is known of their attempts. */
  readonly loadUnsettled: () => Promise<readonly UnsettledFrame[]>
  readonly request: Client['request']
}

export interface ActionDeps {
  readonly store: AppStore
  readonly client: Client
  /** This screen's clock, epoch ms. */
  readonly localNow: () => number
  /** Times of the day of an instant, in the screen's time zone. */
  readonly clockOf: (at: number) => AtClock
}

export function createActions(deps: ActionDeps): Actions {
  const {store, client, localNow} = deps
  const background = backgroundRequests(store, client)

  const loadInfo = async (): Promise<void> => {
    const asked = localNow()
    const info = await background('app.info', {})
    // The answer was made somewhere between asking and now: the middle is the best guess.
    if (info !== undefined) store.getState().setInfo(info, info.now - (asked + localNow()) / 2)
  }
  const loadSources = async (): Promise<void> => {
    const {sources: before} = store.getState()
    const views = await background('sources.list', {})
    if (views !== undefined) store.getState().listSources(views, before)
  }
  const {loadGaps, loadHoles, loadNumberings, loadDaemons} = ledgerLoaders(store, background)
  const loadDetail = detailLoader(store, client)
  const {loadAgain, ...list} = listActions(deps)
  return {
    reload: async () => {
      const {selectedFrame} = store.getState()
      await Promise.all([
        loadInfo(),
        loadSources(),
        loadAgain(),
        loadGaps(),
        loadHoles(),
        loadNumberings(),
        loadDaemons(false),
        ...(selectedFrame === undefined ? [] : [loadDetail(selectedFrame)]),
      ])
    },
    refreshInfo: loadInfo,
    ...list,
    loadOlder: olderLoader(store, client),
    loadOlderGaps: async () => {
      const {gapsOlder} = store.getState()
      if (gapsOlder !== undefined) await loadGaps(gapsOlder)
    },
    loadOlderNumberings: async () => {
      const {numberingsOlder} = store.getState()
      if (numberingsOlder !== undefined) await loadNumberings(numberingsOlder)
    },
    loadOlderHoles: async () => {
      const {holesOlder} = store.getState()
      if (holesOlder !== undefined) await loadHoles(holesOlder)
    },
    refreshDaemons: () => loadDaemons(true),
    loadDetail,
    showInList: aroundLoader(store, client),
    loadUnsettled: unsettledLoader(store, client),
    request: client.request,
  }
}

type ListActions = Pick<Actions, 'reloadList' | 'follow' | 'setLive'> & {
  /** The same list as it is now, without moving a reader's place. */
  readonly loadAgain: () => Promise<void>
}

function listActions({store, client, clockOf}: ActionDeps): ListActions {
  /** @param moves - whether the newest rows take the place of what a reader stands at */
  const loadNewest = async (moves: boolean): Promise<void> => {
    const {query, scope, now, setFilter, setListStatus} = store.getState()
    const {filter: typed} = parseQuery(query, clockOf(now))
    const filter = scope === undefined ? typed : {...typed, source: scope}
    setFilter(filter)
    setListStatus({kind: 'loading'})
    const page = await client.request('frames.page', {filter, limit: PAGE})
    const state = store.getState()
    if (state.filter !== filter) return // a newer question is on its way
    if (!page.ok) state.setListStatus({kind: 'failed', error: page.error})
    else if (moves || !hasReader(state)) state.showPage(page.value)
    else state.refreshRows(page.value.frames)
  }
  const follow = (): void => {
    const {listBroken, thawList} = store.getState()
    thawList()
    if (listBroken) void loadNewest(true)
  }
  const refresh = rowRefresher(store, client)
  return {
    reloadList: () => loadNewest(true),
    loadAgain: () => (hasReader(store.getState()) ? refresh() : loadNewest(false)),
    follow,
    setLive: (live) => {
      store.getState().setLive(live)
      if (live) follow()
      else store.getState().freezeList()
    },
  }
}

/** Somebody stands at a place of the list that must not move. */
function hasReader({listFrozen, list}: AppState): boolean {
  return listFrozen && list.rows.length > 0
}

const REFRESH_PAGE = 500
/** As many as the window has rows for. With a filter by outcome the rows may lie further apart; then the oldest stay as they are. */
const REFRESH_PAGES = WINDOW_ROWS / REFRESH_PAGE

/** Asks for the rows of a frozen list again, down to the oldest that may have changed. */
function rowRefresher(store: AppStore, client: Client): () => Promise<void> {
  return async () => {
    const {filter, list, refreshRows} = store.getState()
    refreshRows([]) // what waits is no longer held
    const {outcomes: _changed, ...place} = filter
    const oldest = list.rows.find(mayChange)
    let before = (list.rows.at(-1)?.id ?? -1) + 1
    for (let pages = 0; pages < REFRESH_PAGES && oldest !== undefined && before > oldest.id; pages++) {
      const page = await client.request('frames.page', {filter: place, before, limit: REFRESH_PAGE})
      store.getState().setProblem(page.ok ? undefined : page.error)
      if (!page.ok || store.getState().filter !== filter) return
      refreshRows(page.value.frames)
      before = page.value.next ?? 0
    }
  }
}

function aroundLoader(store: AppStore, client: Client): (frame: number) => Promise<void> {
  return async (frame) => {
    const {filter, showPageAround} = store.getState()
    const page = await client.request('frames.page', {filter, before: frame + AROUND, limit: PAGE})
    const state = store.getState()
    if (page.ok && state.filter === filter && state.selectedFrame === frame) showPageAround(page.value)
  }
}

function unsettledLoader(store: AppStore, client: Client): () => Promise<readonly UnsettledFrame[]> {
  return async () => {
    const {scope, setProblem, addAttempts} = store.getState()
    const filter = {outcomes: UNSETTLED, ...(scope === undefined ? {} : {source: scope})}
    const page = await client.request('frames.page', {filter, limit: UNSETTLED_PAGE})
    setProblem(page.ok ? undefined : page.error)
    if (!page.ok) return []
    const unsettled: UnsettledFrame[] = []
    for (const frame of page.value.frames) {
      const isKnown = attemptsOfFrame(store.getState(), frame.id).length > 0 && frame.outcome !== 'rejected'
      const detail = isKnown ? undefined : await client.request('frames.detail', {frame: frame.id})
      if (detail?.ok === true) addAttempts(detail.value.attempts)
      unsettled.push(
        detail?.ok === true && detail.value.later !== undefined ? {frame, later: detail.value.later} : {frame},
      )
    }
    return unsettled
  }
}

type Background = ReturnType<typeof backgroundRequests>

/** What is asked for as a whole, page by page: the ledger, and the daemons on this machine. */
function ledgerLoaders(store: AppStore, background: Background) {
  const olderThan = (frame: number | undefined) => (frame === undefined ? {} : {before: frame})
  return {
    loadGaps: async (before?: number): Promise<void> => {
      const {gaps: held} = store.getState()
      const page = await background('gaps.list', {limit: LEDGER_PAGE, ...olderThan(before)})
      if (page !== undefined) store.getState().showGaps(page.gaps, page.next, held)
    },
    loadHoles: async (before?: number): Promise<void> => {
      const page = await background('holes.list', {limit: LEDGER_PAGE, ...olderThan(before)})
      if (page !== undefined) store.getState().showHoles(page.holes, page.next)
    },
    loadNumberings: async (before?: number): Promise<void> => {
      const page = await background('numberings.list', {limit: LEDGER_PAGE, ...olderThan(before)})
      if (page !== undefined) store.getState().showNumberings(page.numberings, page.next)
    },
    loadDaemons: async (refresh: boolean): Promise<void> => {
      const told = await background('prime.daemons', {refresh})
      if (told !== undefined) store.getState().showDaemons(told.daemons)
    },
  }
}

function backgroundRequests(store: AppStore, client: Client) {
  return async <C extends Channel>(channel: C, input: Input<C>): Promise<Output<C> | undefined> => {
    const answer: Result<Output<C>, RequestError> = await client.request(channel, input)
    store.getState().setProblem(answer.ok ? undefined : answer.error)
    return answer.ok ? answer.value : undefined
  }
}

function olderLoader(store: AppStore, client: Client): () => Promise<void> {
  return async () => {
    const {filter, listOlder, listStatus, setListStatus} = store.getState()
    if (listOlder === undefined || listStatus.kind === 'loading') return
    setListStatus({kind: 'loading'})
    const page = await client.request('frames.page', {filter, before: listOlder, limit: PAGE})
    if (store.getState().filter !== filter) return
    if (page.ok) store.getState().showOlderPage(page.value)
    else setListStatus({kind: 'failed', error: page.error})
  }
}

function detailLoader(store: AppStore, client: Client): (frame: number) => Promise<void> {
  return async (frame) => {
    const held = store.getState().detail
    const shown = held.kind !== 'none' && held.frame === frame && 'shown' in held ? held.shown : undefined
    store.getState().setDetail({kind: 'loading', frame, ...(shown === undefined ? {} : {shown})})
    const detail = await client.request('frames.detail', {frame})
    if (store.getState().selectedFrame !== frame) return
    store
      .getState()
      .setDetail(detail.ok ? {kind: 'ready', frame, shown: detail.value} : {kind: 'failed', frame, error: detail.error})
  }
}
