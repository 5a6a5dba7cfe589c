import {type ReactElement, useEffect, useRef} from 'react'
import {useAppContext} from './state/use-app.ts'
import './keys-overlay.css'

const KEYS: ReadonlyArray<readonly [keys: string, meaning: string]> = [
  ['j  ↓', 'next older event'],
  ['k  ↑', 'next newer event'],
  ['g', 'next gap or hole'],
  ['c', 'next open callback'],
  ['.', 'stand still at the moment of the selection'],
  ['space', 'pause and go on'],
  ['/', 'search'],
  ['+  −', 'zoom the timeline'],
  ['w a s d', 'zoom and move the timeline, while it has the focus'],
  ['Escape', 'close, leave, clear the selection'],
  ['?', 'these keys'],
]

export function KeysOverlay(): ReactElement {
  const {setKeysShown} = useAppContext().store.getState()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => dialog.current?.showModal(), [])
  return (
    <dialog ref={dialog} className="keys" aria-labelledby="keys-title" onClose={() => setKeysShown(false)}>
      <h2 id="keys-title">Keys</h2>
      <dl>
        {KEYS.map(([keys, meaning]) => (
          <div key={keys}>
            <dt className="mono">{keys}</dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <button type="button" className="button" onClick={() => setKeysShown(false)}>
        Close
      </button>
    </dialog>
  )
}
