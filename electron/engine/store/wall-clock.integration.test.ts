import {join} from 'node:path'
import fc from 'fast-check'
import {expect, test} from 'vitest'
import {takeSteps} from '../../../shared/position/position.ts'
import {openDatabase} from './database.ts'
import {loadProfile} from './load.ts'
import {readFramesPage} from './read-frames.ts'
import {readTimeline} from './read-timeline.ts'
import {added, SOURCE, START} from './testing/changes.ts'
import {changesOf, histories} from './testing/history.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'
import {createWriteGroup} from './write-group.ts'

test('a wall clock that is set back and forward, also between two starts, changes no order and loses nothing', () => {
  fc.assert(
    fc.property(histories('jumping'), fc.nat(1_000), fc.nat(1_000), (happenings, a, b) => {
      const path = join(temporaryDirectory(), 'store.db')
      const lists = [[added()], ...changesOf(happenings)]
      for (const started of [lists.slice(0, lists.length / 2), lists.slice(lists.length / 2)]) {
        const opened = openDatabase({path, role: 'write'})
        if (!opened.ok) throw new Error(opened.error.detail)
        const write = createWriteGroup(opened.value)
        for (const list of started) expect(write([list])).toEqual([undefined])
        opened.value.close()
      }
      const frames = lists.flat().flatMap((change) => (change.kind === 'frameJournaled' ? [change.frame] : []))
      const opened = openDatabase({path, role: 'read'})
      if (!opened.ok) throw new Error(opened.error.detail)
      const db = opened.value
      const page = readFramesPage(db, {filter: {}, before: undefined, limit: 500})
      expect(page.frames.map(({id}) => id)).toEqual(frames.map(({id}) => id).reverse())
      const times = frames.map(({receivedAt}) => receivedAt)
      const [first, last] = [Math.min(START, ...times), Math.max(START, ...times) + 1]
      const [from, to] = [a, b]
        .sort((x, y) => x - y)
        .map((share) => first + Math.ceil(((last - first) * share) / 1_000))
      const range = readTimeline(db, {source: SOURCE, from: from ?? 0, to: (to ?? 0) + 1, columns: 1_000})
      const inside = frames.filter(({receivedAt}) => receivedAt >= range.from && receivedAt < range.to)
      expect(new Set(range.frames.map(({id}) => id))).toEqual(new Set(inside.map(({id}) => id)))
      const position = new Map()
      for (const change of lists.flat()) if (change.kind === 'cursorMoved') takeSteps(position, change.move.steps)
      expect(loadProfile(db).sources[0]?.position).toEqual(position)
      db.close()
    }),
    {numRuns: 25},
  )
})
