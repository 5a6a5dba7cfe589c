import {type ReactElement, useMemo, useState} from 'react'
import type {FrameDetail, RequestError} from '../../../shared/contract/contract.ts'
import {explainRequestError} from '../../../shared/words/explain-failure.ts'
import {type BytesShown, positionOf} from '../../../shared/words/explain-problem.ts'
import {useActions} from '../../state/use-app.ts'
import {Explained} from '../../ui/explained.tsx'
import {byteSize, count, counted} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {cutText, joined, jsonIn, type Piece, placeInText} from './cut-text.ts'
import {JsonTree} from './json-tree.tsx'
import {parseExact} from './parse-exact.ts'

/** How much of a large frame is shown before the reader asks for more, in bytes. */
const FIRST_BYTES = 4_096

/** The frame as received, with the cuts of the transport, and the same parsed. Its place is keyed by the frame. */
export function RawBytes({detail}: {readonly detail: FrameDetail}): ReactElement {
  const {bytesTotal, withheld, cuts, problem: refused} = detail
  const {bytes, more, problem} = useBytes(detail)
  const size = `${count(bytesTotal)} ${bytesTotal === 1 ? 'byte' : 'bytes'} · ${counted(cuts.length + 1, 'chunk')}`
  return (
    <>
      <Section title={`Frame as received · ${size}`}>
        {withheld ? (
          <p className="muted">Withheld: frames of this kind may hold secrets, so their bytes are never stored.</p>
        ) : bytes.length === 0 ? (
          <p className="muted">The bytes were not kept.</p>
        ) : (
          <Bytes bytes={bytes} cuts={cuts} total={bytesTotal} more={more} broken={brokenAt(bytes, refused)} />
        )}
        {problem === undefined ? null : <Explained explanation={explainRequestError(problem)} urgent />}
      </Section>
      <Parsed bytes={bytes} partial={bytes.length > 0 && bytes.length < bytesTotal} />
    </>
  )
}

/** Whether there is something of the bytes to look at. */
export function bytesShown({bytes, withheld}: FrameDetail): BytesShown {
  return withheld || bytes === '' ? 'none' : 'below'
}

function brokenAt(bytes: Uint8Array, problem: FrameDetail['problem']): number | undefined {
  const position = problem === undefined ? undefined : positionOf(problem)
  return position === undefined ? undefined : placeInText(bytes, position)
}

interface HeldBytes {
  readonly bytes: Uint8Array
  /** Asks for the next piece of a large frame. */
  readonly more: () => Promise<void>
  readonly problem: RequestError | undefined
}

/** What is here of the frame's bytes: the first piece, and those that the reader asked for. */
function useBytes(detail: FrameDetail): HeldBytes {
  const {request} = useActions()
  const [pieces, setPieces] = useState<readonly string[]>([])
  const [problem, setProblem] = useState<RequestError | undefined>(undefined)
  const bytes = useMemo(() => joined([detail.bytes, ...pieces]), [detail.bytes, pieces])
  const more = async () => {
    const next = await request('frames.bytes', {frame: detail.frame.id, from: bytes.length})
    setProblem(next.ok ? undefined : next.error)
    if (next.ok) setPieces([...pieces, next.value.bytes])
  }
  return {bytes, more, problem}
}

interface BytesProps {
  readonly bytes: Uint8Array
  readonly cuts: readonly number[]
  readonly total: number
  readonly more: () => Promise<void>
  /** Where its JSON broke off, in the text of the bytes. */
  readonly broken: number | undefined
}

function Bytes({bytes, cuts, total, more, broken}: BytesProps): ReactElement {
  const [all, setAll] = useState(false)
  const [busy, setBusy] = useState(false)
  const pieces = useMemo(() => cutText(bytes, cuts, all ? bytes.length : FIRST_BYTES), [bytes, cuts, all])
  const showMore = async () => {
    setBusy(true)
    await more()
    setBusy(false)
  }
  return (
    <>
      <pre
        className="raw mono"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling place must be reachable by keys
        tabIndex={0}
      >
        {withStarts(pieces).map(({text, cutAfter, start}, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one frame never change places
          <span key={index}>
            <PieceText text={text} broken={broken === undefined ? undefined : broken - start} isLast={!cutAfter} />
            {cutAfter ? <CutMark /> : null}
          </span>
        ))}
      </pre>
      {all || bytes.length <= FIRST_BYTES ? null : (
        <button type="button" className="button raw-more" onClick={() => setAll(true)}>
          Show all {byteSize(bytes.length)}
        </button>
      )}
      {bytes.length === total ? null : (
        <p className="muted small">
          The first {byteSize(bytes.length)} of {byteSize(total)} are here.{' '}
          <button type="button" className="button raw-more" disabled={busy} onClick={() => void showMore()}>
            Fetch more
          </button>
        </p>
      )}
    </>
  )
}

/** Each with the place in the whole text where it begins. */
function withStarts(pieces: readonly Piece[]): ReadonlyArray<Piece & {readonly start: number}> {
  let start = 0
  return pieces.map((piece) => {
    const placed = {...piece, start}
    start += piece.text.length
    return placed
  })
}

interface PieceTextProps {
  readonly text: string
  /** Where in it the JSON broke off; it may lie elsewhere. */
  readonly broken: number | undefined
  readonly isLast: boolean
}

function PieceText({text, broken, isLast}: PieceTextProps): ReactElement {
  if (broken === undefined || broken < 0 || broken > text.length || (broken === text.length && !isLast))
    return <>{text}</>
  // It may break off at its end: then there is no character to mark, or a line break that has no look.
  const character = /^[^\n]/u.exec(text.slice(broken))?.[0] ?? ''
  return (
    <>
      {text.slice(0, broken)}
      <mark className={character === '' ? 'raw-broken raw-broken-end' : 'raw-broken'} title="Here the JSON broke off">
        {character}
        <span className="visually-hidden"> (here the JSON broke off) </span>
      </mark>
      {text.slice(broken + character.length)}
    </>
  )
}

function CutMark(): ReactElement {
  return (
    <span className="raw-cut" title="One chunk of the transport ended here">
      <span className="visually-hidden"> (cut) </span>
    </span>
  )
}

interface ParsedProps {
  readonly bytes: Uint8Array
  readonly partial: boolean
}

function Parsed({bytes, partial}: ParsedProps): ReactElement | null {
  const node = useMemo(() => (partial ? undefined : parseExact(jsonIn(bytes))), [bytes, partial])
  if (partial)
    return (
      <Section title="Fields as sent">
        <p className="muted">Not shown: only a part of the bytes is here, and half a payload cannot be read.</p>
      </Section>
    )
  if (node === undefined) return null
  return (
    <Section title="Fields as sent">
      <div className="json mono">
        <JsonTree node={node} />
      </div>
    </Section>
  )
}
