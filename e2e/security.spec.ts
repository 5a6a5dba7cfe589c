import {once} from 'node:events'
import {createServer, request as httpRequest, type Server} from 'node:http'
import type {AddressInfo} from 'node:net'
import {expect} from '@playwright/test'
import {socketUrl, tokenOf} from './ask-host.ts'
import {test} from './fixtures.ts'

test('without the token there is the page, and nothing else', async ({startApp}) => {
  const {url} = await startApp('--demo')
  const {origin} = new URL(url)
  const index = await fetch(origin)
  expect(index.status).toBe(200)
  expect(await index.text()).not.toContain(tokenOf(url))
  for (const path of [
    '/ws',
    '/app.info',
    '/tokens.json',
    '/../package.json',
    '/%2e%2e/%2e%2e/package.json',
    '/.git/config',
  ])
    expect((await fetch(`${origin}${path}`)).status, path).toBe(404)

  for (const introduction of [{token: 'guessed'}, {}, {id: 1, channel: 'sources.list', input: {}}]) {
    const socket = new WebSocket(socketUrl(url))
    const heard: unknown[] = []
    socket.addEventListener('message', ({data}) => heard.push(data))
    await once(socket, 'open')
    socket.send(JSON.stringify(introduction))
    const [closed] = await once(socket, 'close')
    expect(closed).toMatchObject({code: 4401})
    expect(heard).toEqual([])
  }
})

test('a page of another origin cannot reach the engine, with the token or without', async ({
  page,
  startApp,
  troubles,
}) => {
  troubles.expect(/WebSocket connection to .* failed/)
  const {url} = await startApp()
  const elsewhere = await serveEmptyPage()
  await page.goto(elsewhere.url)
  const opened = await page.evaluate(
    (target) =>
      new Promise<string>((resolve) => {
        const socket = new WebSocket(target)
        socket.onopen = () => resolve('opened')
        socket.onclose = () => resolve('refused')
      }),
    socketUrl(url),
  )
  expect(opened).toBe('refused')
  expect(await statusUnderName(url, 'rebound.example')).toBe(403)
  elsewhere.server.close()
})

test('the token leaves the address bar at once, and a reload goes on without it', async ({tidemark: {page}}) => {
  await expect(page.getByRole('contentinfo')).toContainText('host mode')
  expect(page.url()).not.toContain('token')
  expect(await page.evaluate(() => document.cookie)).toBe('')
  await page.reload()
  await expect(page.getByRole('contentinfo')).toContainText('host mode')
  await expect(page.getByRole('button', {name: 'Start the demo'})).toBeVisible()
  expect(page.url()).not.toContain('token')
})

test('a tab without the token says where to get it', async ({startApp, context}) => {
  const {url} = await startApp()
  const stranger = await context.newPage()
  await stranger.goto(new URL(url).origin)
  await expect(stranger.getByRole('contentinfo')).toContainText('open the address that Tidemark printed')
  await expect(stranger.getByRole('navigation', {name: 'Sources'})).toContainText('Not known yet')
})

async function serveEmptyPage(): Promise<{readonly url: string; readonly server: Server}> {
  const server = createServer((_request, response) =>
    response.writeHead(200, {'content-type': 'text/html'}).end('<!doctype html><title>elsewhere</title>'),
  )
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const {port} = server.address() as AddressInfo // it listens on a port
  return {url: `http://127.0.0.1:${port}/`, server}
}

/** As a browser would ask whose name for another place was made to point here. */
async function statusUnderName(url: string, name: string): Promise<number | undefined> {
  const {port} = new URL(url)
  const asked = httpRequest({host: '127.0.0.1', port, path: '/', headers: {host: `${name}:${port}`}}).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}
