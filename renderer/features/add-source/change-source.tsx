import {type ReactElement, useState} from 'react'
import type {SourceView} from '../../../shared/contract/rows.ts'
import {leave} from '../../state/leave.ts'
import {useAppContext} from '../../state/use-app.ts'
import {NumberedForm} from './numbered-form.tsx'
import {SessionSocketForm} from './session-socket-form.tsx'
import {SwitchForm} from './switch-form.tsx'

/** The form that added a source, filled in with what it is watched by. What arrives meanwhile changes no field. */
export function ChangeSource({view}: {readonly view: SourceView}): ReactElement {
  const {store} = useAppContext()
  const [of] = useState(view)
  const onBack = (): void => leave(store, 'addSource')
  return (
    <div className="add-source">
      <div className="add-source-column">
        <Form of={of} onBack={onBack} />
      </div>
    </div>
  )
}

function Form({of, onBack}: {readonly of: SourceView; readonly onBack: () => void}): ReactElement | null {
  switch (of.settings.kind) {
    case 'switch':
      return <SwitchForm of={of} onBack={onBack} />
    case 'numbered':
      return <NumberedForm of={of} onBack={onBack} />
    case 'prime':
      return <SessionSocketForm of={of} settings={of.settings} onBack={onBack} />
    default:
      return null
  }
}
