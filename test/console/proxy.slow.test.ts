/** The console and its phone behind a proxy that strips a path. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page, Request } from 'playwright-core'
import { onLan, openBrowser, openPage, untilTitle, withoutBrowser } from '#test/kit/console-browser.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { startPathProxy } from '#test/kit/path-proxy.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { roost } from '#test/kit/program.ts'

/** The page, its styles, its two scripts, and its icon. */
const REQUESTS_MAX = 5
const FIRST_LOAD_BYTES_MAX = 60_000

test('in Chromium the console works behind a proxy that serves it below a path', {
  skip: withoutBrowser,
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await GatewayProcess.startBare(t)
  const { setupUrl } = await gateway.cli('setup-link')
  const token = String(setupUrl).split('/').at(-1)
  const proxy = await startPathProxy(t, gateway.url, '/roost')
  const address = onLan(proxy)
  const browser = await openBrowser(t)
  const { page, faults } = await openPage(browser)
  const asked: string[] = []
  const loaded: Request[] = []
  page.on('request', request => asked.push(request.url()))
  page.on('websocket', socket => asked.push(socket.url().replace(/^ws/, 'http')))
  page.on('requestfinished', request => loaded.push(request))

  await page.goto(`${address}/setup?token=${token}`)
  assert.equal(page.url(), `${address}/#/setup/${token}`)
  await page.getByLabel('E-mail address').fill('ann@example.org')
  const [, ...afterRedirect] = asked
  assert.ok(afterRedirect.length <= REQUESTS_MAX, asked.join('\n'))
  const sizes = await Promise.all(loaded.map(request => request.sizes()))
  const bytes = sizes.reduce((sum, one) => sum + one.responseBodySize + one.responseHeadersSize, 0)
  assert.ok(bytes <= FIRST_LOAD_BYTES_MAX, `${bytes}`)
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery')
  await page.getByRole('button', { name: 'Save and log in' }).click()

  await page.getByRole('link', { name: 'Add a phone' }).first().click()
  for (const name of ['More ways', 'Another phone']) await page.getByRole('button', { name }).click()
  assert.equal(await page.locator('.facts .mono').innerText(), address)
  await page.getByText('No phone at hand?').click()
  const line = await page.locator('details pre').innerText()
  const [program = '', ...args] = line.replace(address, proxy).match(/"[^"]*"|\S+/g) ?? []
  assert.equal(program, 'roost')
  const agent = roost(
    args.map(one => one.replaceAll('"', '')),
    { cwd: gateway.folder },
  )
  t.after(() => agent.child.kill('SIGKILL'))
  await page.getByRole('heading', { name: 'Pretend phone is connected' }).waitFor()
  await untilTitle(page, 'Pretend phone is connected – Roost')
  await page.getByRole('link', { name: 'Send a test text to yourself' }).click()
  await page.getByLabel('To', { exact: true }).fill('+14155550123')
  await page.getByRole('button', { name: 'Send text' }).click()
  await page.locator('.head').getByText('Only printed').waitFor()

  await page.goto(`${address}/#/`)
  await page.getByText('Only a pretend phone is online, so nobody receives texts.').waitFor()
  await page.goto(`${address}/#/devices`)
  await page.locator('.list .tag', { hasText: 'pretend' }).waitFor()
  await page.goto(`${address}/#/webhooks/new`)
  await page.getByLabel('Name', { exact: true }).fill('Backup')
  await page.getByLabel('Who gets the texts').fill('+14155550123')
  await page.getByRole('button', { name: 'Make webhook' }).click()
  const hook = await page.locator('pre').first().innerText()
  assert.ok(hook.startsWith(`${address}/api/v1/webhook/`), hook)
  const posted = await fetch(hook.replace(address, proxy), { method: 'POST', body: 'The backup has failed' })
  assert.equal(posted.status, 200)
  await page.getByText('It arrived.').waitFor()

  await removePretendPhone(page, address)
  await page.goto(`${address}/#/texts`)
  await page.locator('.list').getByText('Only printed').nth(1).waitFor()
  await page.goto(`${address}/#/`)
  await page.getByText('Send yourself a text (to do)').waitFor()

  assert.deepEqual(
    asked.filter(one => !one.startsWith(`${address}/`)),
    [],
  )
  assert.deepEqual(faults, [])
})

async function removePretendPhone(page: Page, address: string): Promise<void> {
  await page.goto(`${address}/#/devices`)
  await page.locator('.list a').click()
  await page.getByRole('button', { name: 'Remove phone' }).click()
  await page.getByLabel('To confirm, type Pretend phone').fill('Pretend phone')
  await page.getByRole('button', { name: 'Remove phone' }).click()
  await page.getByRole('heading', { name: 'No phone is paired' }).waitFor()
}
