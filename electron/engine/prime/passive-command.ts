/** Everything that is ever sent to a daemon. None of it is journaled there, starts anything, or answers for the user. */
export type PassiveCommand =
  | {readonly type: 'list'}
  | {readonly type: 'attach'; readonly activeSessionId: string}
  | {readonly type: 'get_state'; readonly activeSessionId: string}

export const PROTOCOL_NAME = 'prime-agent.daemon'
export const PROTOCOL_VERSION = 7

const CAPABILITIES = ['attach_snapshot', 'event_sequence', 'slim_attach', 'chunked_snapshot']

/**
 * One line, as the daemon takes it. Without a client id, so that the connection's own counts. `env` is empty and not absent: else
 * the supervisor would lend its own environment to the session. Nothing is claimed that would make a dialog wait for us. (Prime
 * note, section 6.)
 */
export function commandLine(id: string, command: PassiveCommand): string {
  const passive =
    command.type === 'attach' ? {...command, capabilities: CAPABILITIES, supportsExtensionUi: false, env: {}} : command
  const protocol = {name: PROTOCOL_NAME, version: PROTOCOL_VERSION}
  return `${JSON.stringify({type: 'command', id, protocol, command: passive})}\n`
}
