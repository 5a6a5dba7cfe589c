import type {ReactElement, ReactNode} from 'react'
import {counted} from '../../ui/format.ts'
import type {JsonNode} from './parse-exact.ts'

/** More members than this are folded, and more than `SHOWN` are not put on the page at all. */
const FOLD_ABOVE = 12
const SHOWN = 200
const TEXT_SHOWN = 2_000
/** A tree deeper than a screen can indent is cut, and says so. */
const DEEPEST = 30

export interface JsonTreeProps {
  readonly node: JsonNode
  readonly name?: string
  readonly depth?: number
}

/** A parsed payload; what is large starts folded. */
export function JsonTree({node, name, depth = 0}: JsonTreeProps): ReactElement {
  if (node.kind === 'leaf')
    return (
      <div className="json-leaf">
        <Name name={name} />
        <Leaf node={node} />
      </div>
    )
  const children =
    node.kind === 'array' ? node.items.map((item, index) => [String(index), item] as const) : node.members
  const size = node.kind === 'array' ? counted(children.length, 'item') : counted(children.length, 'member')
  if (children.length === 0 || depth >= DEEPEST)
    return (
      <div className="json-leaf">
        <Name name={name} />
        <span className="muted">
          {depth >= DEEPEST ? `${size}, too deep to show` : node.kind === 'array' ? '[]' : '{}'}
        </span>
      </div>
    )
  return (
    <details className="json-branch" open={depth < 2 && children.length <= FOLD_ABOVE}>
      <summary>
        <Name name={name} />
        <span className="muted">{size}</span>
      </summary>
      {children.slice(0, SHOWN).map(([key, child]) => (
        <JsonTree key={key} node={child} name={key} depth={depth + 1} />
      ))}
      {children.length > SHOWN ? (
        <div className="muted">and {counted(children.length - SHOWN, 'more', 'more')}</div>
      ) : null}
    </details>
  )
}

function Name({name}: {readonly name: string | undefined}): ReactNode {
  return name === undefined ? null : <span className="json-name">{name}: </span>
}

function Leaf({node}: {readonly node: Extract<JsonNode, {kind: 'leaf'}>}): ReactElement {
  if (node.type !== 'string') return <span className={`json-${node.type}`}>{node.text}</span>
  const cut = node.text.length > TEXT_SHOWN
  return (
    <span className="json-string">
      “{cut ? node.text.slice(0, TEXT_SHOWN) : node.text}”
      {cut ? <span className="muted"> and {counted(node.text.length - TEXT_SHOWN, 'character')} more</span> : null}
    </span>
  )
}
