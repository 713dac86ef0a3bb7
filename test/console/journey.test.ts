/** The console in a real browser, from the set-up link to the log-out. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { deliverAll } from '#test/kit/plant-secrets.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'

const CHROMIUM = '/usr/bin/chromium'
const AXE = axe.source
const PAGES = [
  '',
  'messages',
  'messages/new',
  'webhooks',
  'webhooks/new',
  'devices',
  'devices/pair',
  'notifications',
  'received',
  'settings',
  'more',
  'nowhere',
]
const PASSWORD = 'correct horse battery'
const missing = existsSync(CHROMIUM)
  ? false
  : `NOT TESTED: there is no ${CHROMIUM}. Install it: apt-get install chromium`

describe('in Chromium the console', { skip: missing, timeout: 180_000 }, () => {
  let gateway: TestGateway
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const faults: string[] = []

  before(async () => {
    gateway = await startGateway({ config: { http: { anonymous_calls_per_minute: 60_000 } } })
    const rules = '--host-resolver-rules=MAP gateway.test 127.0.0.1'
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox', rules] })
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    page = await context.newPage()
    page.on('pageerror', error => faults.push(error.message))
    page.on('console', said => {
      // What a gateway does not have yet is left out of a page, and the browser says so.
      if (said.type() === 'error' && !said.text().includes('404')) faults.push(said.text())
    })
  })
  after(async () => {
    await browser.close()
    await gateway.stop()
  })

  const go = async (hash: string) => {
    await page.goto(`${address()}/#/${hash}`)
    await page.locator('h1').waitFor()
  }
  /** On a name that is not localhost: browsers then take plain HTTP for insecure, as they do on a LAN. */
  const address = () => gateway.url.replace('127.0.0.1', 'gateway.test')
  const checkAccess = async () => {
    const found = (await page.evaluate(
      `${AXE}; axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`,
    )) as readonly string[]
    assert.deepEqual(found, [], page.url())
  }

  test('is set up by its link, which logs in, and shows the first steps', async () => {
    const [, token] = /#\/setup\/(stp_\w+)/.exec(gateway.said.join('')) ?? []
    await page.goto(`${address()}/#/setup/${token}`)
    await page.getByLabel('E-mail address').fill('ann@example.org')
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await checkAccess()
    await page.getByRole('button', { name: 'Save and log in' }).click()
    await page.getByRole('heading', { name: 'First steps' }).waitFor()
  })

  test('pairs a phone, sends a text and makes a webhook, and follows all of it live', async () => {
    await go('devices/pair')
    const code = (await page.locator('.code').innerText()).replace(' ', '')
    const json = { code, name: 'Kitchen Pixel', platform: 'android', appVersion: '1' }
    const paired = await gateway.call('POST', '/device/v1/pair', { json })
    const phone = await RawPhone.ready(gateway.url, String(paired.json?.data['token']))
    await page.getByRole('heading', { name: 'Kitchen Pixel is connected' }).waitFor()
    await page.getByRole('link', { name: 'Send a test text to yourself' }).click()
    await page.getByLabel('To', { exact: true }).fill('+14155550123')
    await page.getByRole('button', { name: 'Send text' }).click()
    await page.getByRole('heading', { name: 'To +14155550123' }).waitFor()
    assert.deepEqual(await deliverAll(phone, 1), ['Hello from Roost'])
    await page.locator('.head').getByText('Delivered').waitFor()

    await go('webhooks/new')
    await page.getByText('recognised as an uptime monitor').waitFor()
    await page.getByLabel('Name', { exact: true }).fill('Uptime Kuma')
    await page.getByLabel('Who gets the texts').fill('+1 415 555 0123')
    await page.getByRole('button', { name: 'Make webhook' }).click()
    await page.getByRole('heading', { name: 'Uptime Kuma is ready' }).waitFor()
    assert.match(
      await page.locator('pre').first().innerText(),
      /^http:\/\/gateway\.test:\d+\/api\/v1\/webhook\/\w+$/,
    )
    await page.getByRole('button', { name: 'Send a test text' }).click()
    await page.getByText('It arrived.').waitFor()
    await deliverAll(phone, 1)
  })

  test('has pages without a barrier, in both schemes, and none that scrolls sideways', async () => {
    for (const hash of PAGES) {
      for (const [width, colorScheme] of [
        [375, 'dark'],
        [1280, 'light'],
        [375, 'light'],
        [1280, 'dark'],
      ] as const) {
        await page.emulateMedia({ colorScheme })
        await page.setViewportSize({ width, height: 800 })
        if (width === 375) await go(hash)
        await checkAccess()
      }
      await page.setViewportSize({ width: 320, height: 800 })
      const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth')
      assert.equal(beyond, 0, hash)
    }
    await page.setViewportSize({ width: 1280, height: 800 })
  })

  test('stands beside a pairing page whose buttons copy its lines, on plain HTTP', async () => {
    const tab = await context.newPage()
    /** What Ctrl+V gives: these pages may not read the clipboard. */
    const pasted = async () => {
      await tab.evaluate(
        "document.body.append(Object.assign(document.createElement('textarea'), { id: 'paste' }))",
      )
      await tab.locator('#paste').focus()
      await tab.keyboard.press('Control+V')
      const text = await tab.locator('#paste').inputValue()
      await tab.evaluate("document.getElementById('paste').remove()")
      return text
    }
    const { accountId } = await gateway.ask('account.find', { email: 'ann@example.org' })
    const { code } = await gateway.ask('device.create-pairing', { accountId, name: null })
    await tab.goto(`${address()}/device/v1/pair?code=${code}`)
    assert.equal(await tab.evaluate('isSecureContext'), false)
    const lines = await tab.locator('pre').allInnerTexts()
    const buttons = await tab.locator('button[data-copies]').all()
    assert.deepEqual([lines.length, buttons.length], [3, 3])
    assert.ok(lines.some(line => line.includes(`--code ${code} --driver termux`)))
    for (const [index, button] of buttons.entries()) {
      await button.click()
      assert.equal(await button.innerText(), 'Copied')
      assert.equal(await pasted(), lines[index])
    }
    await tab.close()
  })

  test('lives in seven tabs at once', async () => {
    const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
    for (const tab of tabs) {
      await tab.goto(`${address()}/#/devices`)
      await tab.getByText('Kitchen Pixel').waitFor()
      await tab.close()
    }
  })

  test('logs out, and no refused or failed call was seen on the way', async () => {
    await go('settings')
    await page.getByRole('button', { name: 'Log out', exact: true }).first().click()
    await page.getByRole('heading', { name: 'Log in to Roost' }).waitFor()
    await page.reload()
    await page.getByRole('heading', { name: 'Log in to Roost' }).waitFor()
    await checkAccess()
    assert.deepEqual(faults, [])
  })
})
