import {parentPort} from 'node:worker_threads'

/* A store's thread that starts well and dies at the first question. */

parentPort?.postMessage({kind: 'started'})
parentPort?.on('message', () => process.exit(3))
