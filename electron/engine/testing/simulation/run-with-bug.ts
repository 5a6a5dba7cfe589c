import {registerHooks} from 'node:module'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import {PLANTED_BUGS} from './planted-bugs.ts'

// Run as a process of its own: node run-with-bug.ts <name of a planted bug> <most seeds> [explain]. Says in one line of JSON
// what was found; with `explain` the seed that found it, shrunk and told in full.

const ROOT = join(dirname(import.meta.dirname), '..', '..', '..')

const [name, most, how] = process.argv.slice(2)
const bug = PLANTED_BUGS.find((one) => one.name === name)
if (bug === undefined) throw new Error(`no planted bug is called ${name}`)

const waiting = new Map(Map.groupBy(bug.patches, ({file}) => pathToFileURL(join(ROOT, file)).href))

// The product's own files, changed on their way from the disk into this process.
registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    const patches = waiting.get(url)
    if (patches === undefined) return loaded
    waiting.delete(url)
    let source = typeof loaded.source === 'string' ? loaded.source : new TextDecoder().decode(loaded.source)
    for (const {file, find, replace} of patches) {
      // A bug that cannot be planted any more would pass for one that nobody finds.
      if (source.split(find).length !== 2) throw new Error(`${file} does not hold exactly once: ${find}`)
      source = source.replace(find, () => replace)
    }
    return {...loaded, source}
  },
})

const {explainSeed, runSeeds} = await import('./run-seeds.ts')
if (waiting.size > 0) throw new Error(`never loaded: ${[...waiting.keys()].join(', ')}`)
const run = await runSeeds({first: 1, count: Number(most), untilFirst: true})
const found = run.failures[0]?.seed
console.log(how === 'explain' && found !== undefined ? await explainSeed(found, 200) : JSON.stringify(run))
