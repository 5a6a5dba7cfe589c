import {once} from 'node:events'
import {request as httpRequest} from 'node:http'
import {expect} from '@playwright/test'
import {serveElsewhere} from '../elsewhere.ts'
import {test} from '../fixtures.ts'
import {socketUrl, tokenOf} from '../host-socket.ts'

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
  const elsewhere = await serveElsewhere()
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
  elsewhere.close()
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

/** As a browser would ask whose name for another place was made to point here. */
async function statusUnderName(url: string, name: string): Promise<number | undefined> {
  const {port} = new URL(url)
  const asked = httpRequest({host: '127.0.0.1', port, path: '/', headers: {host: `${name}:${port}`}}).end()
  const [response] = await once(asked, 'response')
  response.resume()
  return response.statusCode
}
