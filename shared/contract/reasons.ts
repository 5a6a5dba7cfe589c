import {z} from 'zod'
import {type Cursor, parseCursor} from '../cursor/cursor.ts'
import {ID_FORMS} from '../cursor/cursor-id.ts'
import type {FrameProblem} from '../frames/frame.ts'
import type {FrameId} from '../history/frame-id.ts'
import type {Refusal} from '../source/refusal.ts'
import type {StopReason} from '../source/source-machine.ts'

/*
 * Why something is as it is, as it crosses to a screen. Each kind is named: one that a screen does not know has no words
 * there, so it is refused where it comes in. The types are the core's own, and a kind that is added to one of them and not
 * here stops the compile.
 */

/** The brand says where a number came from; on the wire it is a number. */
const frameId = z.custom<FrameId>((value) => Number.isSafeInteger(value))

const cursor = z.custom<Cursor>((value) => parseCursor(value) !== undefined)

const detail = z.string()

export const refusal: z.ZodType<Refusal> = covers<Refusal>()(
  z.discriminatedUnion('kind', [
    z.object({kind: z.literal('badRequest'), detail}),
    z.object({kind: z.literal('credentials'), status: z.union([z.literal(401), z.literal(403)]), detail}),
    z.object({kind: z.literal('notFound'), detail}),
    z.object({kind: z.literal('connectionCap'), detail}),
    z.object({kind: z.literal('foreignConnectionId'), detail}),
    z.object({kind: z.literal('takenOver'), detail}),
    z.object({kind: z.literal('protocolMismatch'), detail, remedy: z.string().exactOptional()}),
    z.object({kind: z.literal('conflict'), detail}),
    z.object({kind: z.literal('transportRemoved'), detail}),
    z.object({kind: z.literal('invalidParameter'), detail}),
    z.object({kind: z.literal('unavailable'), status: z.number(), detail}),
    z.object({kind: z.literal('unexpected'), status: z.number(), detail}),
    z.object({kind: z.literal('network'), code: z.string(), detail}),
  ]),
)

export const ending: z.ZodType<StopReason> = covers<StopReason>()(
  z.discriminatedUnion('kind', [
    z.object({kind: z.literal('refused'), refusal}),
    z.object({kind: z.literal('evicted'), code: z.string(), reason: z.string(), terminal: z.boolean()}),
    z.object({kind: z.literal('closed')}),
    z.object({kind: z.literal('dropped'), code: z.string()}),
    z.object({kind: z.literal('silent')}),
    z.object({kind: z.literal('beatRefused'), refusal}),
    z.object({kind: z.literal('rejected'), frame: frameId}),
    z.object({kind: z.literal('malformed'), frame: frameId}),
    z.object({kind: z.literal('asleep')}),
    z.object({kind: z.literal('noToken')}),
    z.object({kind: z.literal('tokensUnreadable'), detail}),
    z.object({kind: z.literal('noServer'), detail}),
    z.object({kind: z.literal('noDaemon'), code: z.string()}),
    z.object({kind: z.literal('unsupportedDaemon'), detail}),
    z.object({kind: z.literal('daemonClosing'), reason: z.string()}),
    z.object({kind: z.literal('notResident')}),
    z.object({kind: z.literal('workerGone'), detail}),
    z.object({kind: z.literal('sessionClosed'), reason: z.string()}),
    z.object({kind: z.literal('sessionReplaced'), by: z.string(), removed: z.literal(true).exactOptional()}),
    z.object({kind: z.literal('attachFailed'), detail}),
    z.object({kind: z.literal('idle')}),
    z.object({kind: z.literal('notReached'), detail}),
    z.object({kind: z.literal('noFile'), path: z.string()}),
    z.object({kind: z.literal('fileUnreadable'), detail}),
    z.object({kind: z.literal('resumeRefused'), detail}),
    z.object({kind: z.literal('futureCursor'), detail}),
    z.object({kind: z.literal('numberingReset'), frame: frameId, first: cursor.exactOptional()}),
    z.object({kind: z.literal('storeFailed'), detail}),
    z.object({kind: z.literal('asked')}),
    z.object({kind: z.literal('closedWithApp')}),
    z.object({kind: z.literal('notStarted')}),
  ]),
)

/** What a screen is told of a refused frame. What a malformed gap validly said stands in the ledger. */
export type ToldProblem =
  | Exclude<FrameProblem, {kind: 'badGap'}>
  | Omit<Extract<FrameProblem, {kind: 'badGap'}>, 'said'>

export const frameProblem: z.ZodType<ToldProblem> = covers<ToldProblem>()(
  z.discriminatedUnion('kind', [
    z.object({kind: z.literal('notJson'), detail}),
    z.object({kind: z.literal('notAnObject')}),
    z.object({kind: z.literal('badPosition'), field: z.enum(['position', 'id'])}),
    z.object({kind: z.literal('badGap'), field: z.enum(['resumed_at', 'resumed_position'])}),
    z.object({kind: z.literal('tooLong'), capBytes: z.number()}),
    z.object({kind: z.literal('tooDense'), most: z.number()}),
    z.object({kind: z.literal('noCursor'), type: z.string()}),
    z.object({kind: z.literal('badCursor'), at: z.string()}),
    z.object({kind: z.literal('badCursorId'), form: z.enum(ID_FORMS), id: z.string()}),
    z.object({kind: z.literal('noActiveSession'), type: z.string()}),
    z.object({kind: z.literal('noBegin'), part: z.enum(['chunk', 'end'])}),
    z.object({
      kind: z.literal('badSnapshot'),
      what: z.enum(['cursor', 'activeSession', 'chunkCount', 'chunkOrder', 'messageCount']),
    }),
  ]),
)

/** Takes only a schema whose output is exactly the type: none of its kinds left out, none beside it. */
function covers<Whole>() {
  // In brackets, or the union would be looked at kind by kind, and one that is missing would not be missed.
  return <Schema extends z.ZodType<Whole>>(
    schema: [Whole] extends [z.output<Schema>] ? Schema : never,
  ): z.ZodType<Whole> => schema
}
