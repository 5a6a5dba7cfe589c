/** What is known before Tidemark is started. */
export interface Circumstances {
  /** Whether somebody could look at a window here. */
  readonly display: boolean
  /** Whether an Electron runtime is here. */
  readonly runtime: boolean
  /** Whether somebody can be asked. */
  readonly terminal: boolean
  /** Whether it was asked before, and came to nothing. */
  readonly offered: boolean
  /** What the user gave `npm start`. */
  readonly args: readonly string[]
}

export type ShellChoice =
  | {readonly kind: 'desktop'; readonly because: string}
  | {readonly kind: 'host'; readonly because: string}
  /** A desktop it could be, if its runtime were fetched. */
  | {readonly kind: 'offer'}

/** What both ways of running understand. Anything else is a word of host mode's. */
const COMMON = [/^--demo$/, /^--profile(=|$)/]

/** The desktop app where a runtime and a display are, host mode otherwise. */
export function chooseShell({display, runtime, terminal, offered, args}: Circumstances): ShellChoice {
  const own = args.find((arg) => arg.startsWith('-') && !COMMON.some((word) => word.test(arg)))
  if (own !== undefined) return {kind: 'host', because: `${own} is a word of host mode`}
  if (!display) return {kind: 'host', because: 'There is no display here'}
  if (runtime) return {kind: 'desktop', because: 'An Electron runtime and a display are here'}
  if (terminal && !offered) return {kind: 'offer'}
  return {
    kind: 'host',
    because: 'The Electron runtime is not installed (`npx install-electron` fetches it)',
  }
}
