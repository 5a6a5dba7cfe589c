/** How a table is copied out of a damaged file. */
export interface RescuedTable {
  readonly name: string
  /** Walked by it, in ascending order. */
  readonly key: string
  /** What a row must be to be believed; garbage may read as a row. */
  readonly sound: string
  /** Whose every row has an entry here too, so that what is lost can be counted. */
  readonly index?: string
  /** Every column that names a row. Default: the key. */
  readonly names?: readonly string[]
  /** Saved as empty where only it cannot be read: it is the last of its row and lies apart. */
  readonly optional?: string
}

const OUTCOMES = `('pending', 'handled', 'rejected', 'skipped', 'discarded', 'malformed', 'control', 'duplicate', 'stale')`

/** All of them, those first that others name. */
export const RESCUED_TABLES: readonly RescuedTable[] = [
  {name: 'sources', key: 'key', sound: 'json_valid(record)', index: 'sqlite_autoindex_sources_1'},
  {name: 'tallies', key: 'source', sound: 'frames >= 0'},
  {
    name: 'coordinates',
    key: 'id',
    sound: 'json_valid(name) AND (sequence IS NULL OR sequence >= 0)',
    index: 'sqlite_autoindex_coordinates_1',
  },
  {
    name: 'frames',
    key: 'id',
    sound: `outcome IN ${OUTCOMES} AND (steps IS NULL OR json_valid(steps)) AND (cuts IS NULL OR json_valid(cuts))
      AND (problem IS NULL OR json_valid(problem))`,
    index: 'frames_by_source',
    optional: 'bytes',
  },
  {name: 'unhandled', key: 'frame', sound: 'attempts >= 0 AND (context IS NULL OR json_valid(context))'},
  {name: 'attempts', key: 'frame', sound: 'n > 0', index: 'attempts_by_time', names: ['frame', 'n']},
  {name: 'outputs', key: 'frame', sound: 'n > 0 AND run >= 0', names: ['frame', 'n', 'run']},
  {name: 'moves', key: 'id', sound: 'json_valid(steps)', index: 'moves_by_time'},
  {
    name: 'gaps',
    key: 'frame',
    sound:
      'json_valid(said) AND json_valid(before) AND json_valid(after) AND json_valid(went_back) AND json_valid(removed)',
    index: 'gaps_by_source',
  },
  {name: 'gap_accounts', key: 'gap', sound: 'said_at >= 0'},
  {name: 'connections', key: 'id', sound: 'json_valid(state)', index: 'connections_by_time'},
  {
    name: 'generations',
    key: 'lane',
    sound: 'events >= 0 AND snapshots >= 0',
    index: 'generations_by_source',
    names: ['lane', 'numbering'],
  },
  {
    name: 'numberings',
    key: 'frame',
    sound: `decision IN ('taken', 'kept') AND json_valid(held) AND json_valid(offered)`,
    index: 'numberings_by_source',
  },
  {name: 'holes', key: 'frame', sound: 'json_valid(hole)', index: 'holes_by_source'},
  {
    name: 'activities',
    key: 'frame',
    sound: "state IN ('open', 'ended', 'aborted', 'failed', 'notSeen')",
    index: 'activities_by_time',
  },
  {name: 'pruned', key: 'id', sound: 'next_frame > 0'},
]
