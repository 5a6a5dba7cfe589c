import type {ReactElement} from 'react'

export interface FormHeadProps {
  readonly title: string
  readonly onBack: () => void
}

/** What a form is for, and the way back from it. */
export function FormHead({title, onBack}: FormHeadProps): ReactElement {
  return (
    <div className="switch-form-head">
      <h2>{title}</h2>
      <button type="button" className="button" onClick={onBack}>
        Back
      </button>
    </div>
  )
}
