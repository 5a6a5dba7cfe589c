import {existsSync, globSync, statSync} from 'node:fs'
import {join} from 'node:path'
import {BUILT_SCRIPTS} from './main-scripts.ts'

/** Whether the built page is newer than everything it is made of. */
export function rendererIsFresh(root: string): boolean {
  return isFresh(root, 'dist/renderer/index.html', ['renderer/**/*', 'shared/**/*.ts', 'vite.config.ts'])
}

/** Whether the built main process and preload of the desktop app are. */
export function shellIsFresh(root: string): boolean {
  const sources = ['electron/{shell,engine,demo}/**/*.ts', 'shared/**/*.ts', 'tools/{build-parts,main-scripts}.ts']
  return BUILT_SCRIPTS.every((name) => isFresh(root, `dist/electron/${name}`, sources))
}

function isFresh(root: string, output: string, sources: readonly string[]): boolean {
  const path = join(root, output)
  if (!existsSync(path)) return false
  const built = statSync(path).mtimeMs
  const inputs = globSync([...sources, 'package-lock.json'], {cwd: root})
  return inputs.every((input) => statSync(join(root, input)).mtimeMs <= built)
}
