import {readTold, type Told} from './reading.ts'

/** A frame that the engine took from a stream. */
export interface Receipt {
  readonly told: Told
  /** The how manieth of this source. */
  readonly order: number
  /** The run of numbers that the server is in here: an event's own, a gap's is that of the next event. Absent while not known. */
  run?: string
}

/** What was received of one source: on the stream at hand in its order, and which numbered events are still to be handled. */
export interface Receipts {
  /**
   * @param from - where the engine asked to resume
   * @param hasGap - a gap that was received still waits for its callback
   */
  readonly opened: (from: number | 'head', hasGap: boolean) => void
  readonly received: (block: string) => void
  /** The next frame of the stream that is not durable yet; it counts as durable now. */
  readonly next: () => Receipt | undefined
  /**
   * This frame is done with. Returns an event of a lower number, in the same run of numbers, that was received and is not: it
   * would be passed. A gap is the server's own word that what came before is over.
   */
  readonly settle: (receipt: Receipt, how: {readonly bySkip: boolean; readonly movesOwn: boolean}) => Told | undefined
  /** The process is gone. */
  readonly lifeOver: () => void
}

/** Where nothing is held the server is asked for all, or for what is new, and no number can be mistaken. */
const NOWHERE = 'nowhere'

export function createReceipts(): Receipts {
  const open = new Map<string, Receipt>()
  const done = new Set<string>()
  let stream: Receipt[] = []
  let taken = 0
  let received = 0
  /** The run that the held own number comes from. */
  let heldRun: string | undefined = NOWHERE
  let mayBeMistaken = false
  let isFirstOpen = true

  const forget = (fits: (receipt: Receipt) => boolean): void => {
    for (const [name, receipt] of open) if (fits(receipt)) open.delete(name)
  }
  const placeGaps = (run: string): void => {
    for (const receipt of stream) if (receipt.told.meaning.kind === 'gap') receipt.run ??= run
  }
  /**
   * A server that has numbered past a held number in another run takes it for one of its own, and says nothing. What it leaves
   * out then nobody can know (Switch note, section 5).
   */
  const noticeMistake = (run: string): void => {
    const isMistaken = mayBeMistaken && run !== heldRun && !stream.some(({told}) => told.meaning.kind === 'gap')
    if (isMistaken) forget((receipt) => receipt.run === run)
    mayBeMistaken = false
  }

  return {
    opened(from, hasGap) {
      stream = []
      taken = 0
      // Also a number that is only where the first stream began.
      mayBeMistaken = (heldRun !== NOWHERE || (typeof from === 'number' && from > 0)) && !hasGap
      // "From now on" begins anew with every process; within one it must lose nothing.
      if (from === 'head' && isFirstOpen) open.clear()
      isFirstOpen = false
    },
    received(block) {
      const told = readTold(block)
      if (told === undefined) return
      const run = told.numbered?.run
      if (run !== undefined) noticeMistake(run)
      const receipt: Receipt = {told, order: received++, ...(run === undefined ? {} : {run})}
      stream.push(receipt)
      if (run !== undefined) placeGaps(run)
      const name = nameOf(told)
      if (name !== undefined && !done.has(name) && !open.has(name)) open.set(name, receipt)
    },
    next: () => stream[taken++],
    settle(receipt, {bySkip, movesOwn}) {
      const {told, order, run} = receipt
      if (movesOwn) heldRun = run
      if (told.meaning.kind === 'gap') forget((other) => other.order < order)
      const name = nameOf(told)
      if (name === undefined || told.numbered === undefined) return undefined
      open.delete(name)
      done.add(name)
      if (bySkip) return undefined
      const {own} = told.numbered
      for (const other of open.values())
        if (other.run === run && other.told.numbered !== undefined && other.told.numbered.own < own) return other.told
      return undefined
    },
    lifeOver() {
      isFirstOpen = true
    },
  }
}

function nameOf({numbered}: Told): string | undefined {
  return numbered && `${numbered.run} ${numbered.own}`
}
