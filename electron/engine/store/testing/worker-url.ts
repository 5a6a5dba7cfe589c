/** The store's worker as it lies in a checkout. */
export const WORKER_URL = new URL('../store-worker.ts', import.meta.url)
