/** The console in a real browser, from the set-up link to the log-out. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import axe from 'axe-core'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { deliverAll } from '#test/kit/plant-secrets.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'
import { type Receiver, startReceiver } from '#test/kit/rogue-receiver.ts'

const CHROMIUM = '/usr/bin/chromium'
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
  let receiver: Receiver
  let phone: RawPhone
  let browser: Browser
  let context: BrowserContext
  let page: Page
  const faults: string[] = []

  before(async () => {
    receiver = await startReceiver((_, response) => response.writeHead(204).end())
    gateway = await startGateway({
      config: {
        http: { anonymous_calls_per_minute: 60_000 },
        notifications: { allowed_hosts: ['127.0.0.1'] },
      },
    })
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
    await receiver.close()
  })

  const go = async (hash: string) => {
    await page.goto(`${address()}/#/${hash}`)
    await page.locator('h1').waitFor()
  }
  /** On a name that is not localhost: browsers then take plain HTTP for insecure, as they do on a LAN. */
  const address = () => gateway.url.replace('127.0.0.1', 'gateway.test')
  /** Nothing that axe finds; `rules`: only these, which is faster. */
  const checkAccess = async (rules?: readonly string[]) => {
    if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source)
    const only = rules === undefined ? {} : { runOnly: rules }
    const found = (await page.evaluate(
      `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...only })}).then(({ violations }) =>
        violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`,
    )) as readonly string[]
    assert.deepEqual(found, [], page.url())
  }

  /** Presses Tab until what has this name has the focus. */
  const tabTo = async (name: string) => {
    const wanted = page.getByLabel(name, { exact: true }).or(page.getByRole('button', { name, exact: true }))
    await wanted.waitFor()
    for (let presses = 0; presses < 60; presses++) {
      if (await wanted.evaluate(element => element.matches(':focus'))) return
      await page.keyboard.press('Tab')
    }
    assert.fail(`${name} is not reached by Tab`)
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
    phone = await RawPhone.ready(gateway.url, String(paired.json?.data['token']))
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

  test('posts events, says what came of each, and posts one again', async () => {
    await go('notifications')
    await page.getByLabel('URL').fill(receiver.url)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'The secret, shown only now' }).waitFor()
    phone.say({ type: 'received', id: '1', from: '+14155550123', message: 'Thanks', at: null, simSlot: 1 })
    await phone.next('ack')
    await page.getByRole('link', { name: 'A text came in' }).click()
    await page.getByText('Answered 204').waitFor()
    await page.getByRole('button', { name: 'Post it again' }).click()
    await page.locator('.timeline li').nth(1).waitFor()
    assert.equal(receiver.requests.length, 2)
  })

  test('cancels a text that waits, by the keyboard alone', async () => {
    phone.close()
    await page.keyboard.press('g')
    await page.keyboard.press('d')
    await page.locator('.list').getByText('Offline').waitFor()
    await page.keyboard.press('n')
    await page.getByRole('heading', { name: 'Write a text' }).waitFor()
    await tabTo('Text')
    await page.keyboard.press('ControlOrMeta+A')
    await page.keyboard.type('Never mind')
    await tabTo('If no phone is online, wait for one')
    await page.keyboard.press('Space')
    await page.keyboard.press('Enter')
    await page.getByText('Queued').first().waitFor()
    await tabTo('Cancel this text')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing to do: it was cancelled').waitFor()
    await page.keyboard.press('?')
    await page.getByRole('dialog').getByText('Write a text').waitFor()
    await page.keyboard.press('Escape')
  })

  test('has pages without a barrier, in both schemes, and none that scrolls sideways', async () => {
    const details: string[] = []
    for (const list of ['messages', 'webhooks', 'devices', 'notifications', 'received']) {
      await go(list)
      details.push((await page.locator('.list a').first().getAttribute('href'))?.slice(2) ?? '')
    }
    for (const hash of [...PAGES, ...details]) {
      await go(hash)
      for (const width of [375, 1280]) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme: 'light' })
        await checkAccess()
        await page.emulateMedia({ colorScheme: 'dark' })
        await checkAccess(['color-contrast'])
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
