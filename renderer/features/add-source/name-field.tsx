import type {ReactElement} from 'react'

export interface NameFieldProps {
  readonly value: string
  /** What it is called where it is left empty. */
  readonly placeholder: string
  readonly onChange: (name: string) => void
}

/** What a source is called on the board. */
export function NameField({onChange, ...input}: NameFieldProps): ReactElement {
  return (
    <label>
      Name
      <input className="field" maxLength={100} onChange={(event) => onChange(event.target.value)} {...input} />
    </label>
  )
}
