import {join} from 'node:path'
import {build, type InlineConfig} from 'vite'
import {MAIN_SCRIPTS} from './main-scripts.ts'
import {ROOT} from './run-step.ts'

/** The page, for host mode and for the desktop app alike. */
export async function buildRenderer(): Promise<void> {
  await build({configFile: join(ROOT, 'vite.config.ts'), logLevel: 'warn'})
}

/** The desktop app's main process with what it starts beside itself, and its preload. */
export async function buildElectron(outDir: string): Promise<void> {
  await build(mainConfig(outDir))
  await build(preloadConfig(outDir))
}

/** Everything but Electron and Node is bundled, so that a packaged app carries no node_modules. */
function mainConfig(outDir: string): InlineConfig {
  return {
    ...common,
    ssr: {noExternal: true, external: ['electron']},
    build: {
      ...commonBuild,
      outDir,
      ssr: true,
      emptyOutDir: true,
      rolldownOptions: {
        input: Object.fromEntries(Object.entries(MAIN_SCRIPTS).map(([name, path]) => [name, join(ROOT, path)])),
        output: {format: 'es', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js'},
      },
    },
  }
}

/** One CommonJS file, because a sandboxed preload can load nothing else. */
function preloadConfig(outDir: string): InlineConfig {
  return {
    ...common,
    ssr: {noExternal: true, external: ['electron']},
    build: {
      ...commonBuild,
      outDir,
      ssr: true,
      emptyOutDir: false,
      rolldownOptions: {
        input: {preload: join(ROOT, 'electron/shell/preload.ts')},
        output: {format: 'cjs', entryFileNames: '[name].cjs', codeSplitting: false},
      },
    },
  }
}

const common: InlineConfig = {root: ROOT, configFile: false, logLevel: 'warn', publicDir: false}

/** Electron 45 embeds Node 24. */
const commonBuild = {
  target: 'node24',
  minify: false,
  sourcemap: true,
} as const
