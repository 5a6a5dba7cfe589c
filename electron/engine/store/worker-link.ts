import {Worker} from 'node:worker_threads'
import {messageOf} from '../../../shared/base/message-of.ts'
import {err, ok, type Result} from '../../../shared/base/result.ts'
import {type StoreError, StoreFailure} from './store.ts'
import type {Question, Questions, Said, WorkerStart} from './store-messages.ts'

/** One worker as its main thread sees it. */
export interface WorkerLink {
  /** Rejects with `StoreFailure` where the worker could not answer, or died. */
  readonly ask: <Q extends Question>(
    question: Q,
    ask: Questions[Q]['ask'],
    move?: readonly ArrayBuffer[],
  ) => Promise<Questions[Q]['answer']>
  /** Closes its file and ends it, after everything asked before. */
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly resolve: (answer: unknown) => void
  readonly reject: (failure: StoreFailure) => void
}

/**
 * Starts a store worker and waits until it has opened its file.
 *
 * @param workerUrl - where the worker's code is; its place differs between a checkout and a built app
 * @param onDeath - called once if the worker ends without being asked to; everything outstanding is then rejected
 */
export async function startWorker(
  workerUrl: URL,
  start: WorkerStart,
  onDeath: (error: StoreError) => void,
): Promise<Result<WorkerLink, StoreError>> {
  const worker = new Worker(workerUrl, {workerData: start, name: `store ${start.role}`})
  const waiting = new Map<number, Waiting>()
  const started = Promise.withResolvers<Result<undefined, StoreError>>()
  let dead: StoreError | undefined
  let closing = false
  let lastId = 0

  const die = (error: StoreError): void => {
    if (dead !== undefined) return
    dead = error
    started.resolve(err(error))
    for (const {reject} of waiting.values()) reject(new StoreFailure(error))
    waiting.clear()
    if (error.kind !== 'closed') onDeath(error)
  }
  worker.on('error', (cause) => die({kind: 'io', detail: `the store's thread died: ${messageOf(cause)}`}))
  worker.on('messageerror', (cause) =>
    die({kind: 'io', detail: `the store's thread was not understood: ${messageOf(cause)}`}),
  )
  // A thread that was asked to close may be gone before its answer is taken.
  worker.on('exit', (code) =>
    die(closing ? CLOSED : {kind: 'io', detail: `the store's thread ended with code ${code}`}),
  )
  worker.on('message', (said: Said) => {
    if (said.kind === 'started') started.resolve(ok(undefined))
    if (said.kind === 'refused') started.resolve(err(said.error))
    if (said.kind === 'started' || said.kind === 'refused') return
    const asked = waiting.get(said.id)
    waiting.delete(said.id)
    if (said.kind === 'answer') asked?.resolve(said.answer)
    else asked?.reject(new StoreFailure(said.error))
  })

  const ask = <Q extends Question>(question: Q, value: Questions[Q]['ask'], move: readonly ArrayBuffer[] = []) => {
    if (dead !== undefined) return Promise.reject(new StoreFailure(dead))
    const id = ++lastId
    const answer = Promise.withResolvers<Questions[Q]['answer']>()
    // The worker answers by the same table of types.
    waiting.set(id, {resolve: (said) => answer.resolve(said as Questions[Q]['answer']), reject: answer.reject})
    worker.postMessage({id, question, ask: value}, [...move])
    return answer.promise
  }
  const end = async (): Promise<void> => {
    die(CLOSED)
    await worker.terminate()
  }
  const opened = await started.promise
  if (!opened.ok) {
    await end()
    return opened
  }
  return ok({
    ask,
    async close() {
      closing = true
      if (dead === undefined) await ask('close', undefined).catch(() => undefined)
      await end()
    },
  })
}

const CLOSED: StoreError = {kind: 'closed', detail: 'the store is closed'}
