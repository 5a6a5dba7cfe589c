/** What is started of the desktop app beside its preload: each becomes a script of its own, `dist/electron/<name>.js`. */
export const MAIN_SCRIPTS = {
  main: 'electron/shell/main.ts',
  'store-worker': 'electron/engine/store/store-worker.ts',
  watchdog: 'electron/engine/handlers/watchdog.ts',
} as const

/** As they are named when built, with the preload. */
export const BUILT_SCRIPTS: readonly string[] = [
  ...Object.keys(MAIN_SCRIPTS).map((name) => `${name}.js`),
  'preload.cjs',
]
