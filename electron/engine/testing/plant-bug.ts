import {registerHooks} from 'node:module'
import {dirname, join} from 'node:path'
import {pathToFileURL} from 'node:url'
import type {PlantedBug} from './planted-bug.ts'
import {ALL_BUGS} from './planted-bugs.ts'

const ROOT = join(dirname(import.meta.dirname), '..', '..')

/**
 * Changes the product's own files on their way from the disk into this thread, as the bug says. To be called before they are
 * loaded. Throws where there is no such bug, and at the load of a file that it does not fit any more.
 *
 * @returns the bug, and which files were not loaded yet: a bug in them is not planted
 */
export function plantBug(name: string): PlantedBug & {readonly unplanted: () => readonly string[]} {
  const bug = ALL_BUGS.find((one) => one.name === name)
  if (bug === undefined) throw new Error(`no planted bug is called ${name}`)
  const waiting = new Map(Map.groupBy(bug.patches, ({file}) => pathToFileURL(join(ROOT, file)).href))
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
  return {...bug, unplanted: () => [...waiting.keys()]}
}
