import {BUILT_SCRIPTS} from './main-scripts.ts'

/** One file of a package. */
export interface PackedFile {
  /** From the package's root, with a slash at its beginning. */
  readonly path: string
  /** In bytes. */
  readonly size: number
}

/** What the app consists of beside what is needed, once built: nothing else has any business in a package. */
const APP = [
  /^\/dist\/electron\/[a-z-]+-[\w-]{8}\.js$/, // what several of its scripts share
  /^\/dist\/renderer\/icon\.svg$/,
  /^\/dist\/renderer\/assets\/[\w-]+\.(js|css|woff2)$/,
]
const NEEDED = ['/package.json', ...BUILT_SCRIPTS.map((name) => `/dist/electron/${name}`), '/dist/renderer/index.html']

/** A package holds the app, without Electron and without source maps: so many bytes. */
export const BUDGET_BYTES = 3 * 1024 * 1024

/** What is wrong with a package, in words; empty where it holds the app, the whole app and nothing but the app. */
export function checkPackage(files: readonly PackedFile[]): readonly string[] {
  const paths = new Set(files.map(({path}) => path))
  const bytes = files.reduce((sum, {size}) => sum + size, 0)
  return [
    ...files.filter(({path}) => !isOfApp(path)).map(({path}) => `${path} is no part of the app`),
    ...NEEDED.filter((path) => !paths.has(path)).map((path) => `${path} is missing`),
    ...(bytes > BUDGET_BYTES ? [`${bytes} bytes are more than the ${BUDGET_BYTES} it may have`] : []),
  ]
}

function isOfApp(path: string): boolean {
  return NEEDED.includes(path) || APP.some((part) => part.test(path))
}
