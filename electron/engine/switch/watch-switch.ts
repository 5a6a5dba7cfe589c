import type {WatchSource} from '../watch-source.ts'
import {runSwitchSource} from './run-switch-source.ts'
import type {SwitchTransport} from './transport.ts'

/** Watches the agent bridge that a transport leads to. */
export function watchSwitch(transport: SwitchTransport): WatchSource {
  return (run, watching, signal) => runSwitchSource(run, {...watching, transport}, signal)
}
