import {defineConfig} from 'vitest/config'

const places = '{shared,electron,renderer,tools}'

export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'unit',
          environment: 'node',
          include: [`${places}/**/*.test.{ts,tsx}`],
          exclude: ['**/*.integration.test.{ts,tsx}', '**/node_modules/**'],
          // No module holds state, so files may share a process; a fresh one for each took five times as long.
          isolate: false,
          // Only to end what hangs: how long a busy machine takes says nothing about the code.
          testTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'integration',
          environment: 'node',
          include: [`${places}/**/*.integration.test.{ts,tsx}`],
          exclude: ['**/node_modules/**'],
          // Real sockets, processes and disks. Two files at a time: more only make each other slow on a small machine.
          testTimeout: 60_000,
          hookTimeout: 60_000,
          maxWorkers: 2,
        },
      },
    ],
  },
})
