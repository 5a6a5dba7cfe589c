import type {NumberedSettings} from '../../../../../shared/source/numbered.ts'
import type {NumberedPlan} from '../plan.ts'

/** As somebody fills in the form for such a server. */
export function numberedSettings(plan: NumberedPlan): NumberedSettings {
  const {name, over, future, saysFuture, idBetween, typeAt} = plan
  const file = {over: 'file', path: `/${name}`} as const
  const from = {socket: socketAt(name, saysFuture), sse: sseAt(plan), file}[over]
  const cursorAt = idBetween === undefined ? plan.cursorAt : {id: ID_FORM[idBetween]}
  return {kind: 'numbered', from, future, cursorAt, typeAt}
}

const ID_FORM = {':': 'G:S', '-': 'G-S', '/': 'G/S'} as const

function socketAt(name: string, saysFuture: boolean): NumberedSettings['from'] {
  const resume = saysFuture ? '{"resume":{cursor},"future":"{future}"}' : '{"resume":{cursor}}'
  return {over: 'socket', address: `/${name}`, resume}
}

function sseAt({name, saysFuture, byHeader, idBetween}: NumberedPlan): NumberedSettings['from'] {
  const parameters = [
    ...(byHeader ? [] : ['generation={generation}', 'sequence={sequence}']),
    ...(saysFuture ? ['future={future}'] : []),
  ]
  const cursor = idBetween === undefined ? '{cursor}' : `{generation}${idBetween}{sequence}`
  const lastEventId = byHeader ? cursor : ''
  return {over: 'sse', url: `http://127.0.0.1:1/${name}`, query: parameters.join('&'), lastEventId}
}
