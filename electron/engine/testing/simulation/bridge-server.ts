import type {Result} from '../../../../shared/base/result.ts'
import type {BeatAsk} from '../../../demo/beat-ask.ts'
import type {Output, StreamId} from '../../../demo/bridge-state.ts'
import type {OpenAsk} from '../../../demo/open-ask.ts'
import type {Reply} from '../../../demo/replies.ts'
import type {Step} from '../../../demo/scenario.ts'
import {createStage} from '../../../demo/stage.ts'
import type {Line} from './line.ts'
import type {Item, SwitchPlan} from './plan.ts'
import {type Schedule, WORLD} from './schedule.ts'
import {createServerAlarm} from './server-alarm.ts'

/** The demo's server in simulated time: its own state machine, and its outputs put on lines. */
export interface BridgeServer {
  readonly open: (ask: OpenAsk, line: Line) => Result<StreamId, Reply>
  readonly beat: (ask: BeatAsk) => Reply | undefined
  /** The server finds that the reader is gone. */
  readonly gone: (stream: StreamId) => void
}

interface Parts {
  readonly schedule: Schedule
  readonly source: SwitchPlan
  readonly items: readonly Item[]
  /** Between a batch that was taken and the next one. In ms. */
  readonly drainMs: () => number
  readonly onOutput: (output: Output) => void
}

/** The id of a connection that belongs to another agent. */
export const FOREIGN_ID = 'foreign'

export function createBridgeServer({schedule, source, items, drainMs, onOutput}: Parts): BridgeServer {
  const stage = createStage({
    scenario: {
      name: source.name,
      about: 'simulated',
      revision: source.revision,
      start: source.start,
      retain: source.retain,
      steps: stepsOf(source.name, items),
    },
    agentId: source.name,
    run: source.name,
    firstGeneration: 100,
    epochOffset: 0,
    isForeign: (id) => id === FOREIGN_ID,
  })
  const lines = new Map<StreamId, Line>()
  let lastStream = 0

  const wake = createServerAlarm(
    schedule,
    () => stage.nextDue(schedule.now()),
    () => perform(stage.tick(schedule.now())),
  )

  function perform(outputs: readonly Output[]): void {
    for (const output of outputs) {
      onOutput(output)
      const line = lines.get(output.stream)
      if (output.kind === 'write' || output.kind === 'batch') line?.write(output.text)
      if (output.kind === 'batch') schedule.after(drainMs(), 'server', WORLD, () => drained(output.stream))
      if (output.kind === 'end') line?.end()
      if (output.kind === 'reset') line?.reset()
      if (output.kind === 'end' || output.kind === 'reset') lines.delete(output.stream)
    }
    wake()
  }
  function drained(stream: StreamId): void {
    perform(stage.written(schedule.now(), stream))
  }

  wake()
  return {
    open(ask, line) {
      const stream = ++lastStream
      lines.set(stream, line)
      const opened = stage.open(schedule.now(), stream, ask)
      if (!opened.ok) {
        lines.delete(stream)
        return opened
      }
      perform(opened.value)
      return {ok: true, value: stream}
    },
    beat(ask) {
      const reply = stage.beat(schedule.now(), ask)
      wake()
      return reply
    },
    gone(stream) {
      lines.delete(stream)
      stage.closed(stream)
      wake()
    },
  }
}

/** The acts of one server, from times of the world to times after one another. */
function stepsOf(source: string, items: readonly Item[]): readonly Step[] {
  let last = 0
  return items.flatMap((item) => {
    if (item.kind !== 'server' || item.source !== source) return []
    const afterMs = item.at - last
    last = item.at
    return [{afterMs, when: 'always', do: item.act} satisfies Step]
  })
}
