import {z} from 'zod'
import {ID_FORMS} from '../cursor/cursor-id.ts'
import {LONGEST_SESSION_FILE, LONGEST_SESSION_ID} from '../sessions/session-key.ts'
import {handlerList} from './handlers.ts'
import {ending} from './reasons.ts'
import {PLAIN_URL, WHOLE_PATH} from './where.ts'

/*
 * What crosses between the engine and a screen. Positions travel as pairs, because a room may be called `__proto__`.
 * All times are milliseconds since the Unix epoch.
 */

const sequence = z.number().int().nonnegative()

/** [coordinate, sequence] pairs. */
export const positionPairs = z.array(z.tuple([z.string(), sequence])).readonly()

/** [coordinate, before, after]; null where it was not held before, or was removed. */
export const stepTriple = z.tuple([z.string(), sequence.nullable(), sequence.nullable()])

export const outcome = z.enum([
  'pending',
  'handled',
  'rejected',
  'skipped',
  'discarded',
  'malformed',
  'control',
  'duplicate',
  'stale',
])
export const frameKind = z.enum(['event', 'gap', 'snapshot', 'unknown', 'control', 'malformed'])
export const cause = z.enum([
  'handled',
  'discarded',
  'gapReplaced',
  'snapshotAdopted',
  'skipped',
  'numberingTaken',
  'numberingKept',
  'imported',
])

const numberedCursor = z.object({generation: sequence, sequence})

/** What the user said where a numbering began anew: from the cursor that was held to the one that was offered. */
export const numberingWord = z.object({
  decision: z.enum(['taken', 'kept']),
  held: numberedCursor,
  offered: numberedCursor,
})

/** One frame in a list or on the timeline. */
export const frameRow = z.object({
  id: z.number(),
  source: z.string(),
  receivedAt: z.number(),
  kind: frameKind,
  event: z.string(),
  /** The lane it is drawn on; absent where it moves nothing and names no coordinate. */
  lane: z.string().optional(),
  sequence: sequence.optional(),
  summary: z.string(),
  outcome,
  /** 0 where no callback applies. */
  attempt: z.number(),
  /** Bytes on the wire. */
  size: z.number(),
  settledAt: z.number().optional(),
  redelivers: z.number().optional(),
  /** Present where the frame moved the cursor. At most 8 steps; `stepCount` tells how many there were. */
  cause: cause.optional(),
  steps: z.array(stepTriple).readonly().optional(),
  stepCount: z.number().optional(),
  /** A numbering began anew with it, and the user decided, when it was settled. */
  numbering: numberingWord.optional(),
})
export type FrameRow = z.infer<typeof frameRow>

/** One run of one of the user's handlers. */
export const handlerRunRow = z.object({
  handler: z.string(),
  name: z.string(),
  kind: z.enum(['command', 'webhook', 'notification']),
  state: z.enum(['resolved', 'rejected', 'timedOut', 'aborted']),
  startedAt: z.number(),
  durationMs: z.number(),
  exitCode: z.number().optional(),
  signal: z.string().optional(),
  status: z.number().optional(),
  error: z.string().optional(),
  outputBytes: z.number().optional(),
  /** The last 64 KiB; only where one frame was asked for. */
  output: z.string().optional(),
})
export type HandlerRunRow = z.infer<typeof handlerRunRow>

export const attemptRow = z.object({
  frame: z.number(),
  source: z.string(),
  n: z.number(),
  state: z.enum(['pending', 'resolved', 'rejected', 'timedOut', 'aborted']),
  /** Which of the source's callbacks it is. */
  callback: z.enum(['onEvent', 'onGap']),
  startedAt: z.number(),
  endedAt: z.number().optional(),
  error: z.string().optional(),
  /** In the order in which they ran. Absent where no handler ran, or it is not known. */
  runs: z.array(handlerRunRow).readonly().optional(),
})
export type AttemptRow = z.infer<typeof attemptRow>

export const gapSaid = z.object({
  from: sequence.optional(),
  resumedAt: sequence.optional(),
  position: positionPairs.optional(),
  rooms: z.array(z.string()).readonly().optional(),
  allRooms: z.boolean().optional(),
  reason: z.string().optional(),
})

/** The user's word on how the loss was made good, and when it was given. */
export const gapAccount = z.object({at: z.number(), note: z.string()})

/** A row of the ledger: what the server said beside what we held. Positions of more than 1,000 coordinates are cut to `s` and those that changed. */
export const gapRow = z.object({
  frame: z.number(),
  source: z.string(),
  receivedAt: z.number(),
  outcome: z.enum(['pending', 'replaced', 'ownReplaced', 'unmoved', 'rejected', 'malformed', 'skipped']),
  said: gapSaid,
  before: positionPairs,
  after: positionPairs,
  /** Where the positions are cut: how many coordinates there are, before and after together. Absent where all of them are here. */
  coordinatesTotal: z.number().optional(),
  cursorReset: z.boolean().optional(),
  wentBack: z.array(z.string()).readonly(),
  removed: z.array(z.string()).readonly(),
  appliedAt: z.number().optional(),
  /** Absent: nobody has said anything. */
  account: gapAccount.optional(),
})
export type GapRow = z.infer<typeof gapRow>

/** Numbers never seen: what we observed, beside what the server said. */
export const holeRow = z.object({
  frame: z.number(),
  source: z.string(),
  receivedAt: z.number(),
  by: z.enum(['event', 'snapshot']),
  purpose: z.string().optional(),
  lane: z.string(),
  after: sequence.optional(),
  upTo: sequence,
  missing: z.number(),
  missingGenerations: z.number().optional(),
  tailOf: z.string().optional(),
  said: z.string().optional(),
})
export type HoleRow = z.infer<typeof holeRow>

/** A row of the ledger: a numbering that began anew, and what the user said. */
export const numberingRow = numberingWord.extend({
  frame: z.number(),
  source: z.string(),
  receivedAt: z.number(),
  decidedAt: z.number(),
})
export type NumberingRow = z.infer<typeof numberingRow>

/** One generation of a source, as far as it was seen. */
export const generationRow = z.object({
  source: z.string(),
  lane: z.string(),
  /** Its numbering: 0 is the first of the source, and each that was taken is one more. A number names another generation in each. */
  numbering: z.number(),
  /** When its numbering was given up for another one; absent in the one that is gone on with. */
  givenUpAt: z.number().optional(),
  /** Of the first event seen; absent where only a snapshot told of it. */
  firstSequence: sequence.optional(),
  /** The highest seen; absent where nothing of it was seen here: its end came with the stream's former name. */
  lastSequence: sequence.optional(),
  firstAt: z.number(),
  lastAt: z.number(),
  events: z.number(),
  snapshots: z.number(),
  /** What came from it when it was over, and was ignored. */
  stale: z.number(),
  retiredAt: z.number().optional(),
})
export type GenerationRow = z.infer<typeof generationRow>

/** Something the watched agent did that lasts. */
export const activityRow = z.object({
  source: z.string(),
  frame: z.number(),
  kind: z.enum(['turn', 'message', 'tool', 'bash', 'compaction', 'retry']),
  label: z.string(),
  startedAt: z.number().optional(),
  endedAt: z.number().optional(),
  endFrame: z.number().optional(),
  state: z.enum(['open', 'ended', 'aborted', 'failed', 'notSeen']),
})
export type ActivityRow = z.infer<typeof activityRow>

/** The connection from `at` until the next row of the same source. */
export const connectionRow = z.object({
  source: z.string(),
  at: z.number(),
  state: z.enum(['stopped', 'connecting', 'live', 'waiting', 'held']),
  heartbeat: z.enum(['fresh', 'stale', 'none']),
  attempt: z.number().optional(),
  /** Waiting: how long, in ms, from `at`. */
  delayMs: z.number().optional(),
  because: ending.optional(),
  /** Held: the frame that failed. */
  frame: z.number().optional(),
})
export type ConnectionRow = z.infer<typeof connectionRow>

export const sourceSettings = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('switch'),
    url: z.url({protocol: /^https?$/}).regex(PLAIN_URL),
    agentId: z.string().min(1).max(200),
    watchAs: z.enum(['own', 'agent']),
    startFrom: z.enum(['head', 'retained']),
  }),
  z
    .object({
      kind: z.literal('prime'),
      socket: z.string().min(1).max(1000),
      sessionId: z.string().min(1).max(LONGEST_SESSION_ID).optional(),
      sessionFile: z.string().min(1).max(LONGEST_SESSION_FILE).optional(),
    })
    .refine(({sessionId, sessionFile}) => sessionId !== undefined || sessionFile !== undefined, 'no session is named'),
  z
    .object({
      kind: z.literal('numbered'),
      from: z.discriminatedUnion('over', [
        z.object({over: z.literal('socket'), address: z.string().min(1).max(1000), resume: z.string().max(2000)}),
        z.object({over: z.literal('file'), path: z.string().max(1000).regex(WHOLE_PATH)}),
        z.object({
          over: z.literal('sse'),
          url: z.url({protocol: /^https?$/}).regex(PLAIN_URL),
          query: z.string().max(2000),
          lastEventId: z.string().max(2000),
        }),
      ]),
      /** Members between dots, or the `id` of a server-sent event. */
      cursorAt: z.union([z.string().max(200), z.object({id: z.enum(ID_FORMS)})]),
      typeAt: z.string().max(200),
      future: z.enum(['fail', 'wait']),
    })
    .refine(
      ({from, cursorAt}) => from.over === 'sse' || typeof cursorAt === 'string',
      'only a server-sent event has an id',
    ),
  z.object({kind: z.literal('demo'), scenario: z.string().max(100)}),
  z.object({kind: z.literal('recording'), file: z.string().max(1000)}),
])

/** A session that a daemon holds, as its list told. What was not sent is absent. */
export const primeSession = z.object({
  activeSessionId: z.string(),
  /** Absent where the daemon told none: then its file names it. */
  sessionId: z.string().optional(),
  sessionFile: z.string().optional(),
  name: z.string().optional(),
  cwd: z.string().optional(),
  model: z.string().optional(),
  /** Of the note's rule for a status: `workerState` where it is not `ready`, else running or idle. */
  state: z.enum(['running', 'idle', 'starting', 'recovering', 'stopping', 'failed', 'unknown']),
  attachedClients: z.number().optional(),
  messageCount: z.number().optional(),
  /** A session that another one started: attached to only when the user asks. */
  subagent: z.boolean(),
})

export type PrimeSession = z.infer<typeof primeSession>

/** What is known of the daemon behind one socket. */
export const primeDaemon = z.object({
  socket: z.string(),
  /** `absent`: nothing at this path. `stale`: a socket file that nobody answers. */
  state: z.enum(['looking', 'absent', 'stale', 'connected', 'unsupported', 'failed']),
  /** Why, as sent or as the system says; for `unsupported` what the daemon calls itself. */
  detail: z.string().optional(),
  appVersion: z.string().optional(),
  /** Names the daemon's public process only: another one resets nothing. */
  supervisorGeneration: z.string().optional(),
  sessions: z.array(primeSession).readonly(),
  /** When the sessions were listed, epoch ms; absent before the first list. */
  listedAt: z.number().optional(),
})
export type PrimeDaemon = z.infer<typeof primeDaemon>

/** What is known of a watched session, beside its cursor. */
export const sessionFacts = z.object({
  /** The activation that is attached, or was last. */
  activeSessionId: z.string().optional(),
  cwd: z.string().optional(),
  model: z.string().optional(),
  state: primeSession.shape.state.optional(),
  attachedClients: z.number().optional(),
  /** The daemon's public process, as it names itself. Another one resets nothing. */
  supervisor: z
    .object({
      generation: z.string(),
      /** When it was first met, epoch ms. */
      metAt: z.number(),
      /** When the one in whose place it was met was last heard, epoch ms; absent where none was known before it. */
      after: z.number().optional(),
    })
    .optional(),
  /** What the last attach said of the replay, word for word, beside what we saw: our cursor then, and the server's last one. */
  replay: z
    .object({
      at: z.number(),
      said: z.string(),
      own: z.object({lane: z.string(), sequence}).optional(),
      server: z.object({lane: z.string(), sequence}).optional(),
      missing: z.number(),
    })
    .optional(),
  /** The message that is being streamed, summed from its deltas: the last 4,000 characters of each. */
  streaming: z.object({text: z.string(), thinking: z.string()}).optional(),
})

export type SessionFacts = z.infer<typeof sessionFacts>

export const sourceCounts = z.object({
  frames: z.number(),
  handled: z.number(),
  rejected: z.number(),
  skipped: z.number(),
  discarded: z.number(),
  malformed: z.number(),
  control: z.number(),
  gaps: z.number(),
  duplicate: z.number(),
  stale: z.number(),
  snapshots: z.number(),
  holes: z.number(),
  numberings: z.number(),
})
export type SourceCounts = z.infer<typeof sourceCounts>

/** A warning about a source that is no ending: what was noticed, in the words of this code. */
export const notice = z.object({
  kind: z.enum(['otherAgent', 'positionHint', 'newConnectionId', 'stalled']),
  detail: z.string(),
})

/** Everything the board shows of one source. */
export const sourceView = z.object({
  id: z.string(),
  name: z.string(),
  settings: sourceSettings,
  /** It is played by the built-in demo, also where it is a session that came after the one that was started. */
  demo: z.boolean(),
  paused: z.boolean(),
  connection: connectionRow,
  /** Held, and its stream is attached all the same: what comes is journaled, and waits. */
  readsOn: z.boolean().optional(),
  /** Held by the first frame of a numbering that the user takes: while it is not handled, nothing is taken. */
  takingNumbering: z.boolean().optional(),
  /** The durable, acknowledged position. At most 200 coordinates, `s` first; `coordinates` tells how many there are. */
  position: positionPairs,
  coordinates: z.number(),
  vectorSeen: z.boolean(),
  counts: sourceCounts,
  /** The run of a callback that is open now. */
  openAttempt: attemptRow.optional(),
  /** Frames received and not yet acknowledged, the open one included. */
  waiting: z.number(),
  /** Those of them whose callback failed: neither handled nor skipped since. */
  rejectedOpen: z.number(),
  lastByteAt: z.number().optional(),
  notices: z.array(notice).readonly(),
  /** What names the Prime session it watches, as far as it is known. */
  sessionId: z.string().optional(),
  sessionFile: z.string().optional(),
  /** Of a Prime session. */
  session: sessionFacts.optional(),
  /** In the order in which they run. Their secrets are never shown. */
  handlers: handlerList,
})
export type SourceView = z.infer<typeof sourceView>
