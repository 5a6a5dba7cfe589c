import {existsSync, globSync, statSync} from 'node:fs'
import {join} from 'node:path'

/** Whether the built page is newer than everything it is made of. */
export function rendererIsFresh(root: string): boolean {
  const page = join(root, 'dist', 'renderer', 'index.html')
  if (!existsSync(page)) return false
  const built = statSync(page).mtimeMs
  const sources = globSync(['renderer/**/*', 'shared/**/*.ts', 'vite.config.ts', 'package-lock.json'], {cwd: root})
  return sources.every((path) => statSync(join(root, path)).mtimeMs <= built)
}
