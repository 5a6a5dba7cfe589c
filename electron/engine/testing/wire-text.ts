/** Frames as a Switch server writes them, for tests that play one. */
export function connectionState(fields: object = {}): string {
  return frame('connection_state', {connection_id: 'c', agent_id: 'agent-1', heartbeat_interval_seconds: 2, ...fields})
}

export function message(position: object, body = 'hello'): string {
  return frame('message', {type: 'message', room_id: 'room-a', payload: {body}, position})
}

export function gap(fields: object): string {
  return frame('gap', fields)
}

export function evicted(fields: object): string {
  return frame('evicted', fields)
}

export function frame(event: string, data: object): string {
  return `event: ${event}\ndata: ${JSON.stringify(data)}\n\n`
}
