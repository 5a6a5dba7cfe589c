import type {ReactElement, ReactNode} from 'react'
import './panel.css'

export interface SectionProps {
  readonly title: ReactNode
  readonly children: ReactNode
}

/** A part of a side panel under a small heading. */
export function Section({title, children}: SectionProps): ReactElement {
  return (
    <section className="section">
      <h3 className="section-title">{title}</h3>
      {children}
    </section>
  )
}

export interface FactsProps {
  readonly facts: ReadonlyArray<{readonly name: string; readonly value: ReactNode}>
}

/** Names beside values. */
export function Facts({facts}: FactsProps): ReactElement {
  return (
    <dl className="facts">
      {facts.map(({name, value}) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
