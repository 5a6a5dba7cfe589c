import type {KeptProfile} from '../check-profile.ts'
import type {FramePoint} from '../point.ts'
import {broken} from '../rules.ts'
import type {Death} from '../run-child.ts'
import {type Answering, startWebhook, type Webhook} from '../servers/webhook.ts'
import type {Ward} from '../ward.ts'
import {nth, WORDS} from './frames.ts'
import {missing, whole} from './scripts.ts'

/* A handler of the user's: a webhook. It has its effect at a server that goes on when its Tidemark dies. */

const POINTS: readonly FramePoint[] = ['journaled', 'begun', 'ended', 'settling', 'settled']

/** How far a request gets before it is cut off. */
const ANSWERS: readonly (readonly [Answering, string])[] = [
  ['nothing', 'before the answer'],
  ['half', 'during the answer'],
  ['whole', 'after the answer'],
]

export async function killAroundWebhooks(ward: Ward): Promise<void> {
  const webhook = await startWebhook()
  try {
    const plan = {work: {kind: 'webhook', url: webhook.url}, waits: 'engine'} as const
    const patient = await ward.admit({scenario: whole, plan})
    webhook.writesTo(patient.effects)
    const live = async (step: string, death: Death): Promise<void> => {
      const autopsy = await patient.live(death)
      const {kept, effects} = autopsy
      const more = kept === undefined ? [] : [...missing(kept, effects, true), ...unanswered(kept, webhook)]
      ward.note(`webhook: ${step}`, autopsy, [...more, ...otherKeys(webhook)])
    }
    for (let round = 0; round < ward.rounds; round++) {
      for (const point of POINTS) await live(WORDS[point], {at: nth(point, 1 + Math.floor(ward.dice() * 2))})
      for (const [how, step] of ANSWERS) {
        webhook.answers(how)
        const before = webhook.done()
        await live(step, {when: () => webhook.done() > before})
        webhook.answers('whole')
      }
    }
  } finally {
    await webhook.close()
  }
}

/** The cursor waits for a whole answer. */
function unanswered({frames}: KeptProfile, webhook: Webhook): readonly string[] {
  const answered = webhook.answered()
  const handled = frames.filter(({kind, outcome}) => kind === 'event' && outcome === 'handled')
  return broken(
    'handled without an answer',
    handled.filter(({name}) => !answered.has(name)).map(({name}) => name),
  )
}

/** Who is told twice can know it. */
function otherKeys(webhook: Webhook): readonly string[] {
  const all = [...webhook.keys()]
  const each = new Set(all.flatMap(([, keys]) => [...keys]))
  return [
    ...broken(
      'told again by another key',
      all.filter(([, keys]) => keys.size > 1).map(([frame]) => frame),
    ),
    ...(each.size < all.length ? ['two frames are told by one key'] : []),
  ]
}
