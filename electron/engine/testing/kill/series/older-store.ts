import {rmSync} from 'node:fs'
import {DatabaseSync} from 'node:sqlite'
import {MIGRATIONS} from '../../../store/schema.ts'

/** Makes a store one as an older version would have left it: its schema is that of then, with every row that had a place in it. */
export function makeOlder(path: string, version: number): void {
  const older = `${path}-older`
  const db = new DatabaseSync(older)
  for (const step of MIGRATIONS.slice(0, version)) db.exec(step)
  db.prepare('ATTACH ? AS newer').run(path)
  db.exec('PRAGMA foreign_keys = OFF')
  for (const {name} of db.prepare(`SELECT name FROM main.sqlite_schema WHERE type = 'table'`).all()) {
    const columns = columnsOf(db, String(name)).join(', ')
    db.exec(
      `DELETE FROM main."${name}"; INSERT INTO main."${name}" (${columns}) SELECT ${columns} FROM newer."${name}"`,
    )
  }
  db.exec(`DETACH newer; PRAGMA user_version = ${version}`)
  db.close()
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, {force: true})
  const whole = new DatabaseSync(older)
  whole.prepare('VACUUM INTO ?').run(path)
  whole.close()
  rmSync(older)
  const wal = new DatabaseSync(path)
  wal.exec('PRAGMA journal_mode = WAL')
  wal.close()
}

function columnsOf(db: DatabaseSync, table: string): readonly string[] {
  return db
    .prepare('SELECT name FROM pragma_table_info(?)')
    .all(table)
    .map(({name}) => String(name))
}
