import {readFileSync} from 'node:fs'
import type {NumberedCursor} from '../cursor.ts'

interface Vectors {
  readonly order: readonly {
    readonly n: string
    readonly a: NumberedCursor
    readonly b: NumberedCursor
    readonly expect: string
  }[]
  readonly parse: readonly {readonly n: string; readonly json: string; readonly valid: boolean}[]
  readonly resume: readonly ResumeVector[]
}

export interface ResumeVector {
  readonly n: string
  readonly title: string
  readonly log: readonly NumberedCursor[]
  readonly cursor: NumberedCursor | null
  readonly delivered: readonly NumberedCursor[]
  readonly future?: boolean
}

/** The project's cases for cursors. Its own file, so its own shape. */
export function cursorVectors(): Vectors {
  return JSON.parse(readFileSync(new URL('../../../../fixtures/cursor-vectors.json', import.meta.url), 'utf8'))
}
