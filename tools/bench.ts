import {mkdirSync, mkdtempSync, rmSync} from 'node:fs'
import {tmpdir} from 'node:os'
import {join} from 'node:path'
import {parseArgs} from 'node:util'
import {benchAcknowledgements} from './bench/bench-acknowledgements.ts'
import {benchGrowth} from './bench/bench-growth.ts'
import {benchHistory} from './bench/bench-history.ts'
import {benchIngest} from './bench/bench-ingest.ts'
import {benchMainThread} from './bench/bench-main-thread.ts'
import {benchWire} from './bench/bench-wire.ts'
import type {Figure} from './bench/figure.ts'
import {describeThisMachine} from './bench/machine.ts'
import {makeHistory} from './bench/made-history.ts'
import {describeFigures, describeMachine, figuresAsJson} from './bench/report.ts'

/*
 * Figures of Tidemark, each beside its floor in the same run: `npm run bench -- store`, `npm run bench -- wire`. Machines are
 * shared and noisy, so read the ratios. What a run came to stands in BENCH.md.
 */

const {values, positionals} = parseArgs({
  allowPositionals: true,
  options: {
    json: {type: 'boolean', default: false},
    /** Only these parts of `store`, by name. */
    only: {type: 'string', multiple: true, default: []},
    /** How long the histories are that are looked at. */
    frames: {type: 'string', default: '1000000,10000000'},
    /** Where everything is written: a disk, and not one in memory. */
    dir: {type: 'string', default: tmpdir()},
    /** Histories are kept here, and used again. Without it they are built and deleted. */
    histories: {type: 'string'},
  },
})

const directory = mkdtempSync(join(values.dir, 'tidemark-bench-'))
const machine = describeThisMachine(directory)
const PARTS: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  acknowledgements: () => benchAcknowledgements(directory),
  ingest: () => benchIngest(directory),
  thread: () => benchMainThread(directory),
  history: async () => (await eachHistory(benchHistory)).flat(),
  growth: async () => benchGrowth(directory, await eachHistory(async (history) => history)),
}

try {
  const figures = await measure(positionals)
  console.log(
    values.json ? figuresAsJson(machine, figures) : `${describeMachine(machine)}\n\n${describeFigures(figures)}`,
  )
} finally {
  rmSync(directory, {recursive: true})
}

async function measure([what]: readonly string[]): Promise<readonly Figure[]> {
  if (what === 'wire') return benchWire()
  if (what === 'store') return measureStore()
  throw new Error(
    'usage: npm run bench -- store|wire [--json] [--only PART] [--frames N,N] [--dir DIR] [--histories DIR]',
  )
}

async function measureStore(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const [name, run] of Object.entries(PARTS)) {
    if (values.only.length > 0 && !values.only.includes(name)) continue
    console.error(`${name} ...`)
    figures.push(...(await run()))
  }
  return figures
}

async function eachHistory<T>(
  look: (history: Awaited<ReturnType<typeof makeHistory>>) => Promise<T>,
): Promise<readonly T[]> {
  const parent = values.histories ?? directory
  mkdirSync(parent, {recursive: true})
  const looked: T[] = []
  for (const frames of values.frames.split(',')) looked.push(await look(await makeHistory(parent, Number(frames))))
  return looked
}
