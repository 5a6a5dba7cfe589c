import {useEffect, useRef, useState} from 'react'
import type {RequestError} from '../../shared/contract/contract.ts'
import type {GenerationRow, SourceView} from '../../shared/contract/rows.ts'
import {holdsCursor} from './selectors.ts'
import {useActions, useApp} from './use-app.ts'

export interface KnownGenerations {
  /** The newest of them, oldest first. */
  readonly generations: readonly GenerationRow[]
  /** How many there are. */
  readonly total: number
  /** False until the engine has told them. */
  readonly known: boolean
  /** Why the last question came to nothing. What was told before is still there. */
  readonly problem: RequestError | undefined
}

/** However fast frames come, in ms: the cursor beside the table moves at once, and a long table costs more to tell. */
const APART_MS = {few: 400, many: 2_000}
const MANY = 100

/** Asked for at once, and shown at most. */
const LIMIT = 500

/** The generations of a source, asked for again while its frames come. A source whose position is a vector has none, and is not asked. */
export function useGenerationsOf(view: SourceView): KnownGenerations {
  const {request} = useActions()
  const info = useApp((state) => state.info) // told anew after every reconnect
  const [held, setHeld] = useState<KnownGenerations & {readonly source: string}>({...NONE, source: view.id})
  const askedAt = useRef(0)
  const {id: source} = view
  const wanted = holdsCursor(view)
  const {frames} = view.counts

  // biome-ignore lint/correctness/useExhaustiveDependencies: another count of frames, or another answer about the engine, asks again
  useEffect(() => {
    if (!wanted) return
    const ask = async () => {
      askedAt.current = Date.now()
      const answer = await request('generations.list', {source, limit: LIMIT})
      setHeld((before) => ({
        source,
        ...(answer.ok ? {...answer.value, known: true} : before.source === source ? before : NONE),
        problem: answer.ok ? undefined : answer.error,
      }))
    }
    const apartMs = held.generations.length > MANY ? APART_MS.many : APART_MS.few
    const timer = setTimeout(() => void ask(), Math.max(0, askedAt.current + apartMs - Date.now()))
    return () => clearTimeout(timer)
  }, [source, wanted, frames, info])

  return wanted && held.source === source ? held : NONE
}

const NONE: KnownGenerations = {generations: [], total: 0, known: false, problem: undefined}
