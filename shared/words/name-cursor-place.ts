import type {IdForm} from '../cursor/cursor-id.ts'
import type {CursorPlace} from '../source/numbered.ts'

const ID_FORM_NAMES: {readonly [F in IdForm]: string} = {
  'G:S': 'generation:sequence',
  'G-S': 'generation-sequence',
  'G/S': 'generation/sequence',
  json: 'JSON {"generation", "sequence"}',
}

export function nameIdForm(form: IdForm): string {
  return ID_FORM_NAMES[form]
}

/** The places that an event stream may have its cursor in, for a choice. */
export function offerCursorPlace(place: 'data' | IdForm): string {
  if (place === 'data') return 'the data of an event'
  return place === 'json' ? 'the id of an event, as JSON' : `the id of an event, as 5${place[1]}12`
}

/** Where a message has its cursor, in the middle of a sentence. */
export function nameCursorPlace(place: CursorPlace): string {
  if (typeof place !== 'string') return `in the event’s id as ${nameIdForm(place.id)}`
  return place === '' ? 'in the message itself' : `at “${place}”`
}
