import type {PlantedBug} from './planted-bug.ts'

const LOAD = 'electron/engine/load-run.ts'
const HANDLERS = 'electron/engine/handlers/handler-callbacks.ts'

/** Those in how the user's handlers are run. */
export const HANDLER_BUGS: readonly PlantedBug[] = [
  {
    name: 'the last of several handlers is left out',
    patches: [
      {
        file: HANDLERS,
        find: 'runInOrder(chosen,',
        replace: 'runInOrder(chosen.slice(0, Math.max(1, chosen.length - 1)),',
      },
    ],
  },
  {
    name: 'a handler that failed counts as done',
    patches: [
      {
        file: HANDLERS,
        find: `if (done.state === 'resolved') continue`,
        replace: `if (done.state !== 'aborted') continue`,
      },
    ],
  },
  {
    name: 'the handlers of a frame run at the same time',
    patches: [
      {
        file: HANDLERS,
        find: '  const runs: HandlerRun[] = []\n',
        replace: `  const runs: HandlerRun[] = []
  const begun = new Map(handlers.map((one) => [one, runWithDeadline(one, call, deps, signal)]))
`,
      },
      {
        file: HANDLERS,
        find: 'const done = await runWithDeadline(handler, call, deps, signal)',
        replace: 'const done = (await begun.get(handler)) as HandlerRun',
      },
    ],
  },
  {
    name: 'a second run of a handler is told that it is the first',
    patches: [{file: HANDLERS, find: '    attempt,\n    key:', replace: '    attempt: 1,\n    key:'}],
  },
  {
    name: 'a repetition has an idempotency key of its own',
    patches: [
      {
        file: HANDLERS,
        find: 'digest: contentDigest(frame.event, frame.data),',
        replace: 'digest: contentDigest(frame.event, attempt),',
      },
    ],
  },
  {
    name: 'what a handler says of its attempts is not heeded',
    patches: [
      {
        file: 'electron/engine/source-run.ts',
        find: 'rejections >= (retry?.attempts ?? FAILURES_UNTIL_HELD)',
        replace: 'retry === undefined && rejections >= FAILURES_UNTIL_HELD',
      },
    ],
  },
  {
    name: 'what a handler says of its attempts is forgotten at a restart',
    wire: 'switch',
    patches: [
      {file: LOAD, find: 'return [retry === undefined ? known : {...known, retry}]', replace: 'return [known]'},
    ],
  },
  {
    name: 'the first handlers of a source wait for its next start',
    wire: 'switch',
    patches: [
      {
        file: 'electron/engine/set-handlers.ts',
        find: 'await beginAnew(controller)',
        replace: 'return',
      },
    ],
  },
]
