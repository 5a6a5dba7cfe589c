import type {ReactElement} from 'react'
import {explainPageEnd} from '../shared/words/explain-page-end.ts'
import {Note} from './note.tsx'
import {useApp, useAppContext} from './state/use-app.ts'

/** That the page before this one ended by itself, until it is put away. */
export function PageEnd(): ReactElement | null {
  const {store} = useAppContext()
  const reason = useApp((state) => state.endedBefore)
  if (reason === undefined) return null
  const {title, detail, whatToDo} = explainPageEnd(reason)
  return (
    <Note title={title} onPutAway={() => store.getState().setEndedBefore(undefined)}>
      {detail} {whatToDo}
    </Note>
  )
}
