import type {ReactElement} from 'react'
import type {HandlerRunRow} from '../../shared/contract/rows.ts'
import {runText} from '../../shared/words/name-handler.ts'
import {nameAttempt} from '../../shared/words/name-state.ts'
import {byteSize, duration} from './format.ts'
import './handler-runs.css'
import {lookOfAttempt, Mark} from './mark.tsx'

/** What the handlers of one attempt did, one line each, with what they wrote. */
export function HandlerRuns({runs}: {readonly runs: readonly HandlerRunRow[]}): ReactElement {
  return (
    <ul className="handler-runs">
      {runs.map((run) => (
        <li key={run.handler}>
          <HandlerRunLine run={run} />
        </li>
      ))}
    </ul>
  )
}

export function HandlerRunLine({run}: {readonly run: HandlerRunRow}): ReactElement {
  const {name, state, durationMs, error, output} = run
  const look = lookOfAttempt(state)
  const said = runText(run)
  return (
    <>
      <span className={`tone-${look.tone}`} title={nameAttempt(state).meaning}>
        <Mark {...look} /> {name}: {nameAttempt(state).word} after {duration(durationMs)}
      </span>
      {said === undefined ? null : <span className="muted"> · {said}</span>}
      {error === undefined ? null : <p className="mono handler-run-error">{error}</p>}
      {output === undefined ? null : <Output run={run} output={output} />}
    </>
  )
}

function Output({run, output}: {readonly run: HandlerRunRow; readonly output: string}): ReactElement {
  const {outputBytes} = run
  const written = outputBytes === undefined ? '' : `, ${byteSize(outputBytes)}`
  return (
    <details>
      <summary>{run.kind === 'webhook' ? `What was answered${written}` : `What it wrote${written}`}</summary>
      <p className="muted small">The last 64 KiB at most; known secrets are taken out.</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <pre className="mono handler-run-output" tabIndex={0}>
        {output}
      </pre>
    </details>
  )
}
