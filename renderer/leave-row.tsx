import {type ReactElement, useEffect, useRef} from 'react'
import './leave-row.css'
import {discard} from './state/leave.ts'
import {useApp, useAppContext} from './state/use-app.ts'

/** Asks before something that was typed is lost. Escape is no answer to that: it keeps it. */
export function LeaveRow(): ReactElement | null {
  const asked = useApp((state) => state.leaving !== undefined)
  return asked ? <Question /> : null
}

function Question(): ReactElement {
  const {store} = useAppContext()
  const keep = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    const before = document.activeElement
    keep.current?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  return (
    <div className="leave-row" role="alertdialog" aria-label="What you typed is not saved">
      <span>What you typed here is not saved.</span>
      <button type="button" className="button" ref={keep} onClick={() => store.getState().askToLeave(undefined)}>
        Keep it
      </button>
      <button type="button" className="button button-danger" onClick={() => discard(store)}>
        Discard it
      </button>
    </div>
  )
}
