import {z} from 'zod'
import {DEMO_NAMES} from '../source/demo.ts'
import {handler, handlerList, handlerSecrets} from './handlers.ts'
import {listedOutcome} from './listed-outcome.ts'
import {ending, frameProblem, refusal} from './reasons.ts'
import {
  activityRow,
  attemptRow,
  connectionRow,
  frameRow,
  gapAccount,
  gapRow,
  generationRow,
  handlerRunRow,
  holeRow,
  numberingRow,
  outcome,
  positionPairs,
  primeDaemon,
  sourceSettings,
  sourceView,
  stepTriple,
} from './rows.ts'

/** A place in a numbered stream. */
const streamCursor = z.object({
  generation: z.union([z.number().int().nonnegative(), z.string().min(1).max(1000)]),
  sequence: z.number().int().nonnegative(),
})

/** So much of a message is told where the past is asked for, in UTF-16 code units. */
export const HISTORY_TEXT_LENGTH = 4_096

/** What a numbered server answered to a question about its history. Nothing of it is stored. */
export const historyView = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    /** In the order in which they came. */
    messages: z
      .array(
        z.object({
          /** Absent: it says something about the connection, or could not be understood. */
          cursor: streamCursor.optional(),
          event: z.string(),
          summary: z.string(),
          /** Its beginning, where it is longer than `HISTORY_TEXT_LENGTH`. */
          text: z.string(),
          size: z.number(),
          /** It is not strictly greater than what was asked for: the server should not have sent it. */
          notGreater: z.boolean(),
          problem: frameProblem.optional(),
        }),
      )
      .readonly(),
    /** `limit`: there is more. `quiet`: nothing came for a second. `ended`: the stream ended. `late`: it was still coming. */
    end: z.enum(['limit', 'quiet', 'ended', 'late']),
  }),
  z.object({kind: z.literal('refused'), because: ending}),
])
export type HistoryView = z.infer<typeof historyView>

const sourceId = z.string().min(1).max(100)
const frameId = z.number().int().nonnegative()
const instant = z.number().int()

/** What came of a request that the user made and the world may refuse. */
const done = z.object({done: z.literal(true)})

/** Which frames a list shows. Absent fields do not narrow. */
export const frameFilter = z.object({
  source: sourceId.optional(),
  /** As a list tells them. */
  outcomes: z.array(listedOutcome).readonly().optional(),
  /** Exact name of a lane: `s`, `r:room-a`. */
  lane: z.string().optional(),
  /** Each of them is part of the summary or of the event's name, case-insensitive. */
  texts: z.array(z.string().min(1).max(200)).max(20).readonly().optional(),
  /** Received at or after, before; epoch ms. */
  from: instant.optional(),
  to: instant.optional(),
})
export type FrameFilter = z.infer<typeof frameFilter>

export const framesPage = z.object({
  /** Newest first. */
  frames: z.array(frameRow).readonly(),
  /** Give as `before` for the next, older page; absent at the end. */
  next: z.number().optional(),
})
export type FramesPage = z.infer<typeof framesPage>

export const frameDetail = z.object({
  frame: frameRow,
  /** The bytes as received, base64; empty where they were withheld. At most 256 KiB; `bytesTotal` tells the whole. */
  bytes: z.string(),
  bytesTotal: z.number(),
  withheld: z.boolean(),
  cuts: z.array(z.number()).readonly(),
  problem: frameProblem.optional(),
  attempts: z.array(attemptRow).readonly(),
  /** The last later delivery of the same frame: what it came to in the end, as far as it is known. */
  later: z.object({frame: z.number(), outcome, attempt: z.number()}).optional(),
  gap: gapRow.optional(),
  hole: holeRow.optional(),
  /** All steps of the move this frame made. */
  steps: z.array(stepTriple).readonly(),
  /** The user's reason, where it was skipped. */
  skipReason: z.string().optional(),
})
export type FrameDetail = z.infer<typeof frameDetail>

/** One coordinate over a range of time, as steps. */
export const laneSteps = z.object({
  lane: z.string(),
  /** The value held where the range begins; absent where it was not held. */
  start: z.number().optional(),
  /** Exact: one a step. Binned: the last value of each bin that moved, at the bin's end. */
  steps: z.array(z.object({at: z.number(), value: z.number().nullable(), frame: z.number().optional()})).readonly(),
})

export const timelineRange = z.object({
  source: z.string(),
  from: z.number(),
  to: z.number(),
  /** Absent: every frame of the range is in `frames`. Else the width of a bin in ms, and `frames` holds only the notable ones. */
  binMs: z.number().optional(),
  /** Retention deleted frames received before this instant; bins still count them, and lines still show where they led. Absent: none in this range. */
  detailsFrom: z.number().optional(),
  lanes: z.array(laneSteps).readonly(),
  /**
   * Oldest first. Rejected, skipped, malformed and gap frames are always among them; where one kind has more than 400, the
   * first in each four-hundredth of the range.
   */
  frames: z.array(frameRow).readonly(),
  /** How many frames of a lane fell into the bin that begins at `at`; `lane` is empty for frames of no lane. */
  bins: z.array(z.object({lane: z.string(), at: z.number(), count: z.number()})).readonly(),
  attempts: z.array(attemptRow).readonly(),
  gaps: z.array(gapRow).readonly(),
  holes: z.array(holeRow).readonly(),
  /** Those that began in the range or before it and reached into it. */
  activities: z.array(activityRow).readonly(),
  /** The one in force where the range begins, then those inside it. */
  connections: z.array(connectionRow).readonly(),
})
export type TimelineRange = z.infer<typeof timelineRange>

export const newSource = z.object({
  name: z.string().trim().min(1).max(100),
  settings: sourceSettings,
  /** The agent's API key. Stored apart from everything else, never shown again. */
  token: z.string().max(10_000).optional(),
})
export type NewSource = z.infer<typeof newSource>

/** What a trial connection found: nothing is stored, no connection stays open. */
export const connectionTest = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('reached'),
    agentId: z.string().optional(),
    protocol: z.number().optional(),
    serverVersion: z.string().optional(),
    sameAgent: z.boolean().optional(),
  }),
  z.object({
    kind: z.literal('refused'),
    refusal,
  }),
  /** Of a session: what its daemon is, and whether it lists the session as one that can be attached to. */
  z.object({kind: z.literal('session'), daemon: primeDaemon, resident: z.boolean()}),
  /** Of a numbered stream: its first messages, or why there are none. */
  z.object({kind: z.literal('numbered'), view: historyView}),
])
export type ConnectionTest = z.infer<typeof connectionTest>

export const appInfo = z.object({
  version: z.string(),
  /** Who carries the bytes between engine and screen. */
  mode: z.enum(['host', 'electron']),
  profile: z.string(),
  /** Where tokens are kept, in words for the user. */
  tokenStorage: z.string(),
  demoAvailable: z.boolean(),
  /** The engine's clock when it answered, for screens on a machine whose clock differs. */
  now: z.number(),
  /** The store's size on disk in bytes, and how many frames it holds. */
  storeBytes: z.number(),
  storedFrames: z.number(),
})
export type AppInfo = z.infer<typeof appInfo>

/** Every request a screen can make. The engine parses the input, the client the output. */
export const requests = {
  'app.info': {input: z.object({}), output: appInfo},
  'sources.list': {input: z.object({}), output: z.array(sourceView).readonly()},
  /** `of`: a source that is there, whose token is used where none is given. */
  'sources.test': {input: newSource.extend({of: sourceId.exactOptional()}), output: connectionTest},
  'sources.add': {input: newSource, output: z.object({source: sourceId})},
  'sources.rename': {input: z.object({source: sourceId, name: z.string().trim().min(1).max(100)}), output: done},
  /** The same stream by other settings; its cursor and its history stay. A token that is not given stays as it is. */
  'sources.change': {input: newSource.extend({source: sourceId}), output: done},
  'sources.setToken': {input: z.object({source: sourceId, token: z.string().min(1).max(10_000)}), output: done},
  'sources.remove': {input: z.object({source: sourceId}), output: done},
  'sources.pause': {input: z.object({source: sourceId}), output: done},
  /** Opens it again: after a pause, a stop, or at once instead of waiting out a backoff. */
  'sources.resume': {input: z.object({source: sourceId}), output: done},
  /** Held: run the frame again. Where a numbering began anew: keep the old one, whichever frame it is. */
  'sources.retry': {input: z.object({source: sourceId}), output: done},
  /** Held: step over the frame, on the user's word. A cause of its own in the cursor's history. */
  'sources.skip': {
    input: z.object({source: sourceId, frame: frameId, reason: z.string().trim().min(1).max(500)}),
    output: done,
  },
  /** Taken over: go on under a new connection id, by choice. */
  'sources.newConnection': {input: z.object({source: sourceId}), output: done},
  /** The whole list, in the order in which they run. Secrets that are not given stay as they are. */
  'handlers.set': {
    input: z.object({source: sourceId, handlers: handlerList, secrets: handlerSecrets}),
    output: done,
  },
  /** Runs one, kept or not yet, on a frame of the past. It really runs; nothing is recorded and nothing moves. */
  'handlers.test': {
    input: z.object({source: sourceId, handler, secret: z.string().max(10_000).exactOptional(), frame: frameId}),
    output: handlerRunRow,
  },
  'notifications.shown': {input: z.object({id: z.string().max(100)}), output: done},
  /** Held because a numbering began anew: go on with it, from its first frame. */
  'sources.takeNumbering': {input: z.object({source: sourceId, frame: frameId}), output: done},
  /** The same: go on with the old one, and ask the server again. */
  'sources.keepNumbering': {input: z.object({source: sourceId, frame: frameId}), output: done},
  /** What a numbered server sends from a cursor of the user's own: over a connection of its own, which moves nothing. No cursor: from the beginning. */
  'history.from': {
    input: z.object({source: sourceId, cursor: streamCursor.optional(), limit: z.number().int().min(1).max(500)}),
    output: historyView,
  },
  'positions.get': {
    input: z.object({source: sourceId}),
    output: z.object({position: positionPairs, vectorSeen: z.boolean()}),
  },
  /** Daemons that are looked for: the one behind the default socket, and those the user named. `refresh` lists sessions anew. */
  'prime.daemons': {
    input: z.object({refresh: z.boolean()}),
    output: z.object({daemons: z.array(primeDaemon).readonly()}),
  },
  /** Looks for a daemon behind another socket too, from now on and after a restart; `forget` ends that. */
  'prime.socket': {input: z.object({socket: z.string().min(1).max(1000), forget: z.boolean()}), output: done},
  /** Shows one of the demo's servers; absent: the Switch bridge. */
  'demo.start': {input: z.object({which: z.enum(DEMO_NAMES).exactOptional()}), output: z.object({source: sourceId})},
  /** The numbered demo: its server ends and is back at once, with its snapshot store or without. */
  'demo.restart': {input: z.object({source: sourceId, store: z.enum(['kept', 'lost'])}), output: done},
  'frames.page': {
    input: z.object({filter: frameFilter, before: frameId.optional(), limit: z.number().int().min(1).max(500)}),
    output: framesPage,
  },
  'frames.detail': {input: z.object({frame: frameId}), output: frameDetail},
  /** The next at most 256 KiB of a frame's bytes, base64; empty at their end. */
  'frames.bytes': {
    input: z.object({frame: frameId, from: z.number().int().min(0)}),
    output: z.object({bytes: z.string()}),
  },
  'timeline.range': {
    input: z.object({source: sourceId, from: instant, to: instant, columns: z.number().int().min(1).max(4000)}),
    output: timelineRange,
  },
  'gaps.list': {
    input: z.object({source: sourceId.optional(), before: frameId.optional(), limit: z.number().int().min(1).max(500)}),
    output: z.object({gaps: z.array(gapRow).readonly(), next: z.number().optional()}),
  },
  /** The user's word on how the loss of a gap was made good. It moves nothing. */
  'gaps.account': {
    input: z.object({source: sourceId, frame: frameId, note: z.string().trim().min(1).max(500)}),
    output: done,
  },
  /** Numbers never seen, newest first. */
  'holes.list': {
    input: z.object({source: sourceId.optional(), before: frameId.optional(), limit: z.number().int().min(1).max(500)}),
    output: z.object({holes: z.array(holeRow).readonly(), next: z.number().optional()}),
  },
  /** Numberings that began anew and what the user said, newest first. */
  'numberings.list': {
    input: z.object({source: sourceId.optional(), before: frameId.optional(), limit: z.number().int().min(1).max(500)}),
    output: z.object({numberings: z.array(numberingRow).readonly(), next: z.number().optional()}),
  },
  /** The newest generations of a source, oldest first, and how many there are. */
  'generations.list': {
    input: z.object({source: sourceId, limit: z.number().int().min(1).max(500)}),
    output: z.object({generations: z.array(generationRow).readonly(), total: z.number()}),
  },
} as const

export type Channel = keyof typeof requests
export type Input<C extends Channel> = z.input<(typeof requests)[C]['input']>
export type Parsed<C extends Channel> = z.output<(typeof requests)[C]['input']>
export type Output<C extends Channel> = z.output<(typeof requests)[C]['output']>

/** One handler for every channel; leaving one out does not compile. */
export type Handlers = {readonly [C in Channel]: (input: Parsed<C>) => Promise<Output<C>>}

export function isChannel(name: string): name is Channel {
  return Object.hasOwn(requests, name) // `__proto__` is no channel
}

/** A request that could not be served. `refused`: the engine understood, and says in words of this code why not. */
export const requestError = z.discriminatedUnion('kind', [
  z.object({kind: z.literal('unknownChannel'), channel: z.string()}),
  z.object({kind: z.literal('badInput'), channel: z.string(), problem: z.string()}),
  z.object({
    kind: z.literal('refused'),
    code: z.enum([
      'noSuchSource',
      'noSuchFrame',
      'noSuchGap',
      'notHeld',
      'paused',
      'otherFrameHeld',
      'numberingAnew',
      'noNewNumbering',
      'notNumbered',
      'noDemo',
      'readOnly',
      'storeFailed',
      'storeDamaged',
      'demoFailed',
      'noSecret',
      'noSuchHandler',
      'cannotTry',
      'cannotWatch',
      'otherStream',
      'framesWait',
      'watchedAlready',
      'tokenOfAnother',
    ]),
    detail: z.string(),
  }),
  z.object({kind: z.literal('failed'), detail: z.string()}),
  /** The transport itself: no answer came. */
  z.object({kind: z.literal('unreachable'), detail: z.string()}),
])
export type RequestError = z.infer<typeof requestError>

/**
 * What changed since the last batch, at most one a screen frame. Rows replace earlier rows of the same identity: frames by
 * `id`, attempts by `frame` and `n`, gaps, holes and activities by `frame`, sources by `id`; connections are appended.
 */
export const changeBatch = z.object({
  /** Grows by one a batch; a jump means that the transport lost some and the screen must ask again. */
  number: z.number(),
  now: z.number(),
  sources: z.array(sourceView).readonly(),
  removedSources: z.array(z.string()).readonly(),
  frames: z.array(frameRow).readonly(),
  attempts: z.array(attemptRow).readonly(),
  gaps: z.array(gapRow).readonly(),
  /** What the user said of gaps, by their frames. */
  gapAccounts: z.array(gapAccount.extend({frame: z.number()})).readonly(),
  holes: z.array(holeRow).readonly(),
  activities: z.array(activityRow).readonly(),
  connections: z.array(connectionRow).readonly(),
  /** All daemons that are looked for, where something of one changed. */
  daemons: z.array(primeDaemon).readonly().optional(),
  /** What a handler wants the user told. A page that shows one says so by `notifications.shown`. */
  notifications: z
    .array(z.object({id: z.string(), title: z.string(), body: z.string(), source: z.string()}))
    .readonly(),
  /** Frames left out of this batch because more came than a screen can show; they are in the store. */
  framesLeftOut: z.number(),
  /** Frames journaled a second, and the age in ms of the oldest change in this batch. */
  rate: z.number(),
  lagMs: z.number(),
})
export type ChangeBatch = z.infer<typeof changeBatch>
