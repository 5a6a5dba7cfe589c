import type {CursorPlace} from '../source/numbered.ts'
import {nameCursorPlace} from './name-cursor-place.ts'

const EXPECTED = {
  switch: 'A Switch stream is server-sent events, as `curl -N` keeps them.',
  prime: 'A Prime stream is lines of JSON as the daemon sends them, or records {t, dir, conn, line} of them.',
  lines: 'A numbered stream is lines of JSON, or with --format sse server-sent events.',
  sse: 'With --format sse a numbered stream is server-sent events, with JSON in their data.',
} as const

/** A file that was read to its end, and is no stream of that kind. */
export function explainNoStream(file: string, kind: keyof typeof EXPECTED): string {
  return `Nothing in ${file} was a frame. ${EXPECTED[kind]}`
}

export function explainNoCursor(file: string, place: CursorPlace): string {
  return `No message in ${file} has a cursor ${nameCursorPlace(place)}: nothing moved. --cursor-at and --cursor-id say where it stands.`
}
