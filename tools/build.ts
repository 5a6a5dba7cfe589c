import {join} from 'node:path'
import {buildElectron, buildRenderer} from './build-parts.ts'
import {ROOT} from './run-step.ts'

await buildRenderer()
await buildElectron(join(ROOT, 'dist', 'electron'))
console.log('built dist/renderer and dist/electron')
