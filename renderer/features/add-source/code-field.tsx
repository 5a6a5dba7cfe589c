import type {ReactElement} from 'react'

export interface CodeFieldProps {
  readonly title: string
  readonly value: string
  readonly placeholder: string
  readonly maxLength: number
  readonly onChange: (value: string) => void
  readonly className?: string
  readonly disabled?: boolean
}

/** Something exact: an address, a path, a template. */
export function CodeField({title, onChange, className, ...input}: CodeFieldProps): ReactElement {
  return (
    <label className={className}>
      {title}
      <input className="field mono" spellCheck={false} onChange={(event) => onChange(event.target.value)} {...input} />
    </label>
  )
}
