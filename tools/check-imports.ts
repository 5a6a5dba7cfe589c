import {existsSync} from 'node:fs'
import {join} from 'node:path'
import {checkImports} from './import-rules.ts'
import {FOLDERS, readModules} from './read-imports.ts'

const root = process.argv[2] ?? join(import.meta.dirname, '..')
const modules = readModules(root)
const unread = FOLDERS.filter((folder) => !modules.some(({path}) => path.startsWith(`${folder}/`)))
const violations = checkImports(modules, (path) => existsSync(join(root, path)))

for (const {rule, from, to} of violations) console.error(`${rule}: ${from} → ${to}`)
for (const folder of unread) console.error(`no file was read under ${folder}/: the rules held nothing there`)
console.log(
  `${modules.length} files, ${modules.flatMap(({imports}) => imports).length} imports, ${violations.length} refused`,
)
if (violations.length > 0 || unread.length > 0) process.exitCode = 1
