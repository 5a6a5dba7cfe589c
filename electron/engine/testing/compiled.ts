import {tmpdir} from 'node:os'
import {join} from 'node:path'

/** Where compiled code is kept from one process to the next: half of a start is compiling. */
export const COMPILED = join(tmpdir(), 'tidemark-compiled')
