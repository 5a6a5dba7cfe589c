import {protocol} from 'electron'
import {readAsset} from '../engine/asset.ts'
import {PAGE_POLICY} from '../engine/page-policy.ts'
import {HOST, SCHEME} from './app-url.ts'

/** Must run before the app is ready. A scheme of our own, because `file:` pages may read each other and have no origin. */
export function registerAppScheme(): void {
  protocol.registerSchemesAsPrivileged([{scheme: SCHEME, privileges: {standard: true, secure: true}}])
}

/** @param folder - absolute path of the built page */
export function serveAppScheme(folder: string): void {
  protocol.handle(SCHEME, async (request) => {
    const {host, pathname} = new URL(request.url)
    const asset = host === HOST && request.method === 'GET' ? await readAsset(folder, pathname) : undefined
    if (asset === undefined) return new Response('Not found', {status: 404})
    return new Response(asset.bytes, {
      headers: {
        'Content-Type': asset.type,
        'Content-Security-Policy': PAGE_POLICY,
        'X-Content-Type-Options': 'nosniff',
      },
    })
  })
}
