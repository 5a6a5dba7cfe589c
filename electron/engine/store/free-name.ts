import {existsSync} from 'node:fs'

/** The name, or where something has it, the first with a number behind it that nothing has. */
export function freeName(wanted: string): string {
  let name = wanted
  for (let n = 2; existsSync(name); n++) name = `${wanted}-${n}`
  return name
}
