import type {StateCreator} from 'zustand/vanilla'
import type {ConnectionRow} from '../../shared/contract/rows.ts'

const KEPT_PER_SOURCE = 500

export interface ConnectionsSlice {
  /** Connection states of each source since this screen opened, oldest first; each holds until the next. */
  readonly connections: ReadonlyMap<string, readonly ConnectionRow[]>
}

export const createConnectionsSlice: StateCreator<ConnectionsSlice> = () => ({connections: new Map()})

export function receiveConnections(
  held: ReadonlyMap<string, readonly ConnectionRow[]>,
  rows: readonly ConnectionRow[],
): ReadonlyMap<string, readonly ConnectionRow[]> {
  if (rows.length === 0) return held
  const connections = new Map(held)
  for (const row of rows)
    connections.set(row.source, [...(connections.get(row.source) ?? []), row].slice(-KEPT_PER_SOURCE))
  return connections
}
