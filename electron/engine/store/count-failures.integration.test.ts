import {join} from 'node:path'
import {DatabaseSync} from 'node:sqlite'
import {expect, test} from 'vitest'
import {openDatabase} from './database.ts'
import {MIGRATIONS} from './schema.ts'
import {temporaryDirectory} from './testing/temporary-store.ts'

test('of a frame that an older version left waiting, the failures of all its deliveries are counted, and nothing else', () => {
  const path = join(temporaryDirectory(), 'old.db')
  const old = new DatabaseSync(path)
  for (const step of MIGRATIONS.slice(0, 4)) old.exec(step)
  old.exec(`
    PRAGMA user_version = 4;
    INSERT INTO sources (key, id, record) VALUES (1, 'a', '{}');
    INSERT INTO tallies (source) VALUES (1);
    INSERT INTO frames (id, source, received_at, kind, event, summary, size, outcome, attempt, redelivers, bytes) VALUES
      (1, 1, 0, 'event', 'message', '', 0, 'rejected', 1, NULL, x''), (2, 1, 0, 'event', 'message', '', 0, 'rejected', 3, 1, x'');
    INSERT INTO unhandled (frame, source, attempts) VALUES (2, 1, 3);
    INSERT INTO attempts (frame, n, source, callback, state, started_at) VALUES
      (1, 1, 1, 'onEvent', 'rejected', 0), (2, 2, 1, 'onEvent', 'aborted', 0), (2, 3, 1, 'onEvent', 'rejected', 0)`)
  old.close()
  const opened = openDatabase({path, role: 'write'})
  if (!opened.ok) throw new Error(opened.error.detail)
  expect(opened.value.prepare('SELECT frame, attempts, rejections FROM unhandled').all()).toMatchObject([
    {frame: 2, attempts: 3, rejections: 2},
  ])
  opened.value.close()
})
