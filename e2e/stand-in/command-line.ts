/** What Electron's executable reads from its arguments. */
export interface CommandLine {
  /** Modules to load before the app: `-r`. */
  readonly requires: readonly string[]
  /** The inspector's port; absent where none was asked for. */
  readonly inspectPort?: number
  /** Whether somebody wants to connect to the browser. */
  readonly remoteDebugging: boolean
  /** The app's folder or file, as given. */
  readonly app: string
}

/** @param args - without the executable. Throws where no app is named. */
export function readCommandLine(args: readonly string[]): CommandLine {
  const requires: string[] = []
  let inspectPort: number | undefined
  let remoteDebugging = false
  const rest = [...args]
  for (let arg = rest.shift(); arg !== undefined; arg = rest.shift()) {
    if (arg === '-r' || arg === '--require') requires.push(rest.shift() ?? '')
    else if (arg.startsWith('--inspect=')) inspectPort = Number(arg.slice('--inspect='.length))
    else if (arg.startsWith('--remote-debugging-port=')) remoteDebugging = true
    else if (!arg.startsWith('-'))
      return {requires, app: arg, remoteDebugging, ...(inspectPort === undefined ? {} : {inspectPort})}
  }
  throw new Error('the stand-in for Electron runs an app that is named: electron <folder>')
}
