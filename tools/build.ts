import {buildElectron, buildRenderer} from './build-parts.ts'

await buildRenderer()
await buildElectron()
console.log('built dist/renderer and dist/electron')
