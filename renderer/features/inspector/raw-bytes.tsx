import {type ReactElement, useMemo, useState} from 'react'
import type {FrameDetail} from '../../../shared/contract/contract.ts'
import {byteSize, count, counted} from '../../ui/format.ts'
import {Section} from '../../ui/panel.tsx'
import {cutText, dataOf, fromBase64} from './cut-text.ts'
import {JsonTree} from './json-tree.tsx'
import {parseExact} from './parse-exact.ts'

/** How much of a large frame is shown before the reader asks for more, in bytes. */
const FIRST_BYTES = 4_096

/** The frame as received, with the cuts of the transport, and the same parsed. */
export function RawBytes({detail}: {readonly detail: FrameDetail}): ReactElement {
  const {bytesTotal, withheld, cuts} = detail
  const cut = detail.bytes !== '' && fromBase64(detail.bytes).length < bytesTotal
  const size = `${count(bytesTotal)} ${bytesTotal === 1 ? 'byte' : 'bytes'} · ${counted(cuts.length + 1, 'chunk')}`
  return (
    <>
      <Section title={`Frame as received · ${size}`}>
        {withheld ? (
          <p className="muted">Withheld: frames of this kind may hold secrets, so their bytes are never stored.</p>
        ) : detail.bytes === '' ? (
          <p className="muted">The bytes were not kept.</p>
        ) : (
          <Bytes detail={detail} />
        )}
      </Section>
      <Parsed base64={detail.bytes} partial={cut} />
    </>
  )
}

function Bytes({detail: {bytes, bytesTotal, cuts}}: {readonly detail: FrameDetail}): ReactElement {
  const [all, setAll] = useState(false)
  const decoded = useMemo(() => fromBase64(bytes), [bytes])
  const pieces = useMemo(() => cutText(decoded, cuts, all ? decoded.length : FIRST_BYTES), [decoded, cuts, all])
  return (
    <>
      <pre
        className="raw mono"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling place must be reachable by keys
        tabIndex={0}
      >
        {pieces.map(({text, cutAfter}, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pieces of one frame never change places
          <span key={index}>
            {text}
            {cutAfter ? <CutMark /> : null}
          </span>
        ))}
      </pre>
      {all || decoded.length <= FIRST_BYTES ? null : (
        <button type="button" className="button raw-more" onClick={() => setAll(true)}>
          Show all {byteSize(decoded.length)}
        </button>
      )}
      {decoded.length < bytesTotal ? (
        <p className="muted small">
          The first {byteSize(decoded.length)} of {byteSize(bytesTotal)} are here.
        </p>
      ) : null}
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
  readonly base64: string
  readonly partial: boolean
}

function Parsed({base64, partial}: ParsedProps): ReactElement | null {
  const node = useMemo(() => {
    const data = base64 === '' ? undefined : dataOf(fromBase64(base64))
    return data === undefined ? undefined : parseExact(data)
  }, [base64])
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
