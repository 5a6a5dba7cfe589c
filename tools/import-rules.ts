import {posix} from 'node:path'
import type {Import, SourceModule} from './read-imports.ts'

/** What an import leads to. */
export type Target =
  | {readonly kind: 'file'; readonly path: string}
  | {readonly kind: 'package'; readonly name: string}
  | {readonly kind: 'builtin'; readonly name: string}

export interface Violation {
  readonly rule: string
  readonly from: string
  readonly to: string
}

interface Edge {
  readonly from: string
  readonly to: Target
  readonly typeOnly: boolean
}

interface Rule {
  readonly name: string
  /** Which importing files it is about. */
  readonly from: RegExp
  readonly except?: RegExp
  readonly refuses: (edge: Edge) => boolean
}

const TESTS = /\.test\.tsx?$|(^|\/)testing\//

/** Which way imports may point. The names are what a refusal prints. */
export const RULES: readonly Rule[] = [
  {
    name: 'shared-stands-alone',
    from: /^shared\//,
    except: TESTS,
    refuses: ({to}) => (to.kind === 'file' ? !under(to, 'shared/') : !isPackage(to, 'zod')),
  },
  {
    name: 'shared-tests-know-only-shared',
    from: /^shared\//,
    refuses: ({to}) => to.kind === 'file' && !under(to, 'shared/', 'fixtures/'),
  },
  {
    name: 'zod-only-at-the-edges-of-shared',
    from: /^shared\//,
    except: /^shared\/(contract|recording)\//,
    refuses: ({to}) => isPackage(to, 'zod'),
  },
  {
    name: 'shared-base-is-the-bottom',
    from: /^shared\/base\//,
    refuses: ({to}) => to.kind === 'file' && !under(to, 'shared/base/'),
  },
  {
    // Above it are only the words in which people are told what came over it.
    name: 'shared-contract-is-the-top',
    from: /^shared\/(?!(contract|words)\/)/,
    refuses: ({to}) => under(to, 'shared/contract/'),
  },
  {
    name: 'only-shell-imports-the-electron-package',
    from: /^(?!electron\/shell\/)/,
    refuses: ({to}) => isPackage(to, 'electron'),
  },
  {
    name: 'renderer-knows-no-electron',
    from: /^renderer\//,
    refuses: ({to}) => under(to, 'electron/'),
  },
  {
    name: 'renderer-knows-no-node',
    from: /^renderer\//,
    except: TESTS,
    refuses: ({to}) => to.kind === 'builtin',
  },
  {
    name: 'electron-knows-no-renderer',
    from: /^electron\//,
    refuses: ({to}) => under(to, 'renderer/'),
  },
  {
    name: 'engine-stands-below-its-shells',
    from: /^electron\/engine\//,
    except: TESTS,
    refuses: ({to}) => under(to, 'electron/') && !under(to, 'electron/engine/'),
  },
  {
    // Tests of the engine may run the demo's server; nothing of the engine may know who carries it.
    name: 'engine-tests-know-no-shell',
    from: /^electron\/engine\//,
    refuses: ({to}) => under(to, 'electron/shell/', 'electron/host/', 'electron/cli/'),
  },
  {
    // The command line starts the host; otherwise what exists in one of the three exists only there.
    name: 'shell-host-and-cli-stand-apart',
    from: /^electron\/(shell|host|cli)\//,
    refuses: ({from, to}) =>
      under(to, 'electron/shell/', 'electron/host/', 'electron/cli/') &&
      to.kind === 'file' &&
      folder(from, 2) !== folder(to.path, 2) &&
      !(from.startsWith('electron/cli/') && under(to, 'electron/host/')),
  },
  {
    name: 'demo-shares-only-base',
    from: /^electron\/demo\//,
    except: new RegExp(`^electron/demo/(callbacks|port)\\.ts$|${TESTS.source}`),
    refuses: ({to}) => to.kind === 'file' && !under(to, 'electron/demo/', 'shared/base/', 'fixtures/'),
  },
  {
    name: 'demo-ports-import-types-only',
    from: /^electron\/demo\/(callbacks|port)\.ts$/,
    refuses: ({to, typeOnly}) =>
      to.kind === 'file' &&
      !under(to, 'electron/demo/', 'shared/base/') &&
      !(typeOnly && under(to, 'electron/engine/', 'shared/')),
  },
  {
    name: 'renderer-features-stand-apart',
    from: /^renderer\/features\//,
    refuses: ({from, to}) =>
      to.kind === 'file' && under(to, 'renderer/features/') && folder(from, 3) !== folder(to.path, 3),
  },
  {
    name: 'renderer-state-is-below-its-screens',
    from: /^renderer\/state\//,
    except: TESTS,
    refuses: ({to}) => under(to, 'renderer/') && !under(to, 'renderer/state/', 'renderer/testing/'),
  },
  {
    name: 'renderer-ui-knows-no-feature',
    from: /^renderer\/ui\//,
    except: TESTS,
    refuses: ({to}) => under(to, 'renderer/features/', 'renderer/app.tsx', 'renderer/main.tsx'),
  },
  {
    // The configuration asks tools/ which browser there is; a spec knows the product from outside only.
    name: 'e2e-knows-only-demo-and-shared',
    from: /^e2e\//,
    except: /^e2e\/playwright\.config\.ts$/,
    refuses: ({to}) => to.kind === 'file' && !under(to, 'e2e/', 'electron/demo/', 'shared/', 'fixtures/'),
  },
  {
    // It stands for what the product runs on, so that it must not share a mistake with it.
    name: 'the-stand-in-knows-no-product',
    from: /^e2e\/stand-in\//,
    refuses: ({to}) => (to.kind === 'file' ? !under(to, 'e2e/stand-in/') : to.kind === 'package'),
  },
  {
    name: 'product-imports-no-test',
    from: /^(shared|electron|renderer)\//,
    except: TESTS,
    refuses: ({to}) => to.kind === 'file' && (TESTS.test(to.path) || under(to, 'e2e/', 'tools/', 'fixtures/')),
  },
]

/** @param isFile - whether a path from the root is a file: an import that leads nowhere is a violation too */
export function checkImports(
  modules: readonly SourceModule[],
  isFile: (path: string) => boolean,
): readonly Violation[] {
  const edges = modules.flatMap((module) => module.imports.map(toEdge))
  const refused = RULES.flatMap((rule) =>
    edges
      .filter((edge) => rule.from.test(edge.from) && rule.except?.test(edge.from) !== true && rule.refuses(edge))
      .map((edge) => ({rule: rule.name, from: edge.from, to: nameOf(edge.to)})),
  )
  // A test may name on purpose what is not there; what it imports in earnest, the compiler looks for.
  const lost = edges
    .filter(({from, to}) => to.kind === 'file' && !TESTS.test(from) && !isFile(to.path))
    .map((edge) => ({rule: 'names-a-file', from: edge.from, to: nameOf(edge.to)}))
  return [...refused, ...lost, ...findCycles(edges)]
}

function toEdge({from, specifier, typeOnly}: Import): Edge {
  return {from, to: resolve(from, specifier), typeOnly}
}

function resolve(from: string, specifier: string): Target {
  if (specifier.startsWith('.')) {
    // Vite's `?worker` and the like change how a file is loaded, not which.
    const path = specifier.replace(/\?.*$/, '')
    return {kind: 'file', path: posix.join(posix.dirname(from), path)}
  }
  if (specifier.startsWith('node:')) return {kind: 'builtin', name: specifier}
  const parts = specifier.split('/')
  return {kind: 'package', name: parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/')}
}

/** Cycles through types count too: two files that must be read together are one file. */
function findCycles(edges: readonly Edge[]): readonly Violation[] {
  const next = Map.groupBy(
    edges.flatMap(({from, to}) => (to.kind === 'file' ? [{from, to: to.path}] : [])),
    ({from}) => from,
  )
  const done = new Set<string>()
  const found: Violation[] = []
  const walk = (path: string, trail: readonly string[]) => {
    const begun = trail.indexOf(path)
    if (begun !== -1) found.push({rule: 'no-cycles', from: path, to: [...trail.slice(begun + 1), path].join(' → ')})
    if (begun !== -1 || done.has(path)) return
    for (const {to} of next.get(path) ?? []) walk(to, [...trail, path])
    done.add(path)
  }
  for (const path of next.keys()) walk(path, [])
  return found
}

function under(to: Target, ...prefixes: readonly string[]): boolean {
  return to.kind === 'file' && prefixes.some((prefix) => to.path.startsWith(prefix))
}

function isPackage(to: Target, name: string): boolean {
  return to.kind === 'package' && to.name === name
}

function nameOf(to: Target): string {
  return to.kind === 'file' ? to.path : to.name
}

function folder(path: string, depth: number): string {
  return path.split('/').slice(0, depth).join('/')
}
