import type {NumberedPlan} from '../plan.ts'
import type {AskWitness} from './ask-witness.ts'
import type {MessageLog} from './message-log.ts'
import type {NumberedServer} from './numbered-server.ts'

/** What a stream of the engine is opened at, and what watches it. */
export interface NumberedEnd {
  readonly plan: NumberedPlan
  readonly server: NumberedServer
  readonly log: MessageLog
  readonly asks: AskWitness
}
