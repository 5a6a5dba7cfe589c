import type {NumberedSettings} from '../../../../../shared/source/numbered.ts'
import type {NumberedPlan} from '../plan.ts'

/** As somebody fills in the form for such a server. */
export function numberedSettings(plan: NumberedPlan): NumberedSettings {
  const {name, over, future, saysFuture, cursorAt, typeAt, byHeader} = plan
  const file = {over: 'file', path: `/${name}`} as const
  const from = {socket: socketAt(name, saysFuture), sse: sseAt(name, saysFuture, byHeader), file}[over]
  return {kind: 'numbered', from, future, cursorAt, typeAt}
}

function socketAt(name: string, saysFuture: boolean): NumberedSettings['from'] {
  const resume = saysFuture ? '{"resume":{cursor},"future":"{future}"}' : '{"resume":{cursor}}'
  return {over: 'socket', address: `/${name}`, resume}
}

function sseAt(name: string, saysFuture: boolean, byHeader: boolean): NumberedSettings['from'] {
  const parameters = [
    ...(byHeader ? [] : ['generation={generation}', 'sequence={sequence}']),
    ...(saysFuture ? ['future={future}'] : []),
  ]
  const lastEventId = byHeader ? '{cursor}' : ''
  return {over: 'sse', url: `http://127.0.0.1:1/${name}`, query: parameters.join('&'), lastEventId}
}
