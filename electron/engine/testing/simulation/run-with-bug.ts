import {present} from '../../../../shared/base/present.ts'
import {plantBug} from '../plant-bug.ts'

// Run as a process of its own: node run-with-bug.ts <name of a planted bug> <most seeds> [explain]. Says in one line of JSON
// what was found; with `explain` the seed that found it, shrunk and told in full.

const [name = '', most, how] = process.argv.slice(2)
const {wire, unplanted} = plantBug(name)
const {explainSeed, runSeeds} = await import('./run-seeds.ts')
if (unplanted().length > 0) throw new Error(`never loaded: ${unplanted().join(', ')}`)
const run = await runSeeds({first: 1, count: Number(most), untilFirst: true, ...present({wire})})
const found = run.failures[0]?.seed
console.log(how === 'explain' && found !== undefined ? await explainSeed(found, 200) : JSON.stringify(run))
