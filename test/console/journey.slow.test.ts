/** The console in a real browser, used only by keyboard, from the setup link to the log-out. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { BrowserContext, Page } from 'playwright-core'
import {
  CONSOLE_LISTS,
  CONSOLE_PAGES,
  checkAccessibility,
  Keyboard,
  onLan,
  openBrowser,
  openPage,
  untilTitle,
  withoutBrowser,
} from '#test/kit/console-browser.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { type Program, roost } from '#test/kit/program.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'
import { type Receiver, startReceiver } from '#test/kit/rogue-receiver.ts'

const PASSWORD = 'correct horse battery'
const AWAY = 'What you see is from'

describe('in Chromium the console', { skip: withoutBrowser }, () => {
  const ends: (() => unknown)[] = []
  const cleaner = { after: (end: () => unknown) => void ends.unshift(end) }
  let gateway: GatewayProcess
  let receiver: Receiver
  let agent: Program
  let context: BrowserContext
  let page: Page
  let keys: Keyboard
  let faults: string[]
  let webhookUrl: string
  /** How the receiver of events answers. */
  let answer = 204

  before(async () => {
    receiver = await startReceiver((_, response) => response.writeHead(answer).end())
    cleaner.after(() => receiver.close())
    gateway = await GatewayProcess.startBare(cleaner, {
      env: {
        ROOST_HTTP__ANONYMOUS_CALLS_PER_MINUTE: '60000',
        ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '127.0.0.1',
      },
    })
    const browser = await openBrowser(cleaner)
    context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
    const watched = await openPage(context)
    page = watched.page
    faults = watched.faults
    keys = new Keyboard(page)
  })
  after(async () => {
    for (const end of ends) await end()
  })

  const address = () => onLan(gateway.url)
  const go = async (hash: string) => {
    await page.goto(`${address()}/#/${hash}`)
    await page.locator('h1').waitFor()
  }
  const startAgent = (...args: readonly string[]) => {
    const exec = `printf '%s %s\\n' "$ROOST_PHONE_NUMBER" "$ROOST_MESSAGE" >> radio`
    const driver = ['--driver', 'exec', '--exec', exec, '--exit-0-is-delivered']
    agent = roost(['agent', ...args, ...driver], { cwd: gateway.folder })
    cleaner.after(() => agent.child.kill('SIGKILL'))
  }
  const seen = (heading: string) => page.getByRole('heading', { name: heading, exact: true }).waitFor()
  /** The texts that reached the phone, each a line with its number. */
  const radioed = () => readFileSync(join(gateway.folder, 'radio'), 'utf8').trim().split('\n')

  test('is set up by the setup link, which logs in, and shows the first steps', async () => {
    const { setupUrl } = await gateway.cli('setup-link')
    const { hash } = new URL(String(setupUrl))
    await page.goto(`${address()}/${hash}`)
    await keys.type('E-mail address', 'owner@localhost')
    await keys.type('Password', 'short')
    await keys.press('Enter')
    await page.getByText('Must have at least 10 characters').waitFor()
    assert.equal(await page.getByText(/10 characters|more characters/).count(), 1)
    for (const fault of faults.splice(0)) assert.match(fault, /400 .*\/setup$/)
    await checkAccessibility(page)
    await keys.type('Password', PASSWORD)
    await page.getByText('Strong').waitFor()
    await keys.press('Enter')
    await seen('First steps')
  })

  test('pairs a phone, sends it a text and follows that live', async () => {
    await keys.choose('Add a phone')
    await keys.choose('More ways')
    await keys.choose(/^Another phone, with the app Termux/)
    const code = (await page.locator('.code').innerText()).replace(' ', '')
    startAgent('--server', gateway.url, '--code', code, '--name', 'Kitchen Pixel')
    await seen('Kitchen Pixel is connected')
    await keys.choose('Send a test text to yourself')
    await keys.type('To', '+14155550123')
    await keys.choose('Send text')
    await seen('To +14155550123')
    await page.locator('.head').getByText('Delivered').waitFor()
    assert.deepEqual(radioed(), ['+14155550123 Hello from Roost'])
    await page.getByText('Next step: Make a webhook').waitFor()
  })

  test('makes a webhook, shows its address and sees its test arrive', async () => {
    await keys.choose('Make a webhook')
    await page.getByText('Recognised as an uptime monitor').waitFor()
    await keys.type('Name', 'Uptime Kuma')
    await keys.type('Who gets the texts', '+1 415 555 0123')
    await keys.choose('Make webhook')
    await seen('The webhook “Uptime Kuma” is ready')
    webhookUrl = await page.locator('pre').first().innerText()
    assert.match(webhookUrl, /^http:\/\/gateway\.test:\d+\/api\/v1\/webhook\/\w+$/)
    await keys.choose('Send a test text from Roost')
    await page.getByText('Roost sends it:').waitFor()
    await keys.choose('Send a test text from Roost')
    await page.getByText('Not sent again:').waitFor()
    await page.getByText('Waiting for the first alert from your sender').waitFor()
    await fetch(webhookUrl.replace(address(), gateway.url), { method: 'POST', body: 'The backup has failed' })
    await page.getByText('It arrived.').waitFor()
    await page.getByText('Next step: Tell me when this box or its phone is in trouble').waitFor()
    await keys.choose('Show the text')
  })

  test('names the webhook of an alert, in the list of its texts and at the text', async () => {
    await page.locator('.facts').getByRole('link', { name: 'Uptime Kuma' }).click()
    await keys.choose('Show its texts')
    await page.locator('.texts a').nth(1).waitFor()
    const from = page.getByLabel('Where from').locator('option:checked')
    assert.equal(await from.textContent(), 'From Uptime Kuma')
    await page.getByText('Hello from Roost').waitFor({ state: 'detached' })
    await page.locator('.list a').first().click()
    await page.locator('.facts').getByRole('link', { name: 'Uptime Kuma' }).waitFor()
  })

  test('says why notifications stopped, and replays failed ones, all or a single one', async () => {
    answer = 410
    await go('notifications')
    await keys.type('URL', receiver.url)
    await keys.choose('Save')
    await seen('The secret, shown only now')
    const { token } = await gateway.pair('Attic')
    const attic = await RawPhone.ready(gateway.url, token)
    attic.sendFrame({ type: 'received', id: '1', from: '+14155550123', message: 'Thanks', simSlot: 1 })
    await page.getByText('The receiver answered 410').waitFor()
    attic.close()
    answer = 204
    await keys.choose('Post again from now on')
    await page.getByText('1 failed since then.').waitFor()
    await keys.choose('Post all of these again')
    await page.getByText('1 event is posted again').waitFor()
    await page.locator('.list .mark', { hasText: /Posted/ }).waitFor()

    await keys.choose(/^Text from \+1.415.555.0123 came in/)
    await page.getByText('Answered 204').waitFor()
    await keys.choose('Post it again')
    await page.getByRole('listitem').filter({ hasText: 'Answered 204' }).nth(1).waitFor()
    assert.deepEqual(
      receiver.requests.map(({ headers }) => headers['x-webhook-id']),
      Array(3).fill(receiver.requests[0]?.headers['x-webhook-id']),
    )
  })

  test('removes a phone once its name is typed, and cancels what waits for it', async () => {
    await keys.press('n')
    await keys.type('Text', 'For the attic')
    await page.getByLabel('Phone', { exact: true }).selectOption('Attic')
    await keys.choose('Send text')
    await page.locator('.head').getByText('Queued').waitFor()
    const waiting = page.url()
    await keys.press('g', 'd')
    await keys.choose(/^Attic/)
    await keys.choose('Remove phone')
    await page.getByText('1 text waits for this phone.').waitFor()
    await page.getByLabel('Cancel this text too').check()
    await keys.type('To confirm, type Attic', 'Attic')
    await keys.choose('Remove phone')
    await seen('Phones')
    await page.locator('.list').getByText('Kitchen Pixel').waitFor()
    await page.getByText('Attic').waitFor({ state: 'detached' })
    await page.goto(waiting)
    await page.getByText('CANCELLED', { exact: true }).waitFor()
  })

  test('cancels a text that waits for a paused phone', async () => {
    await keys.press('g', 'd')
    await keys.choose(/^Kitchen Pixel/)
    await keys.choose('Pause')
    await page.locator('.figures').getByText('Paused').waitFor()
    await keys.press('n')
    await keys.type('Text', 'Never mind')
    await page.getByText('The text waits for a phone: Kitchen Pixel is paused.').waitFor()
    await keys.choose('Send text')
    await page.locator('.head').getByText('Queued').waitFor()
    await page.getByText('Resume Kitchen Pixel on its page. The text is given up in').waitFor()
    await keys.choose('Cancel this text')
    await page.getByText('Nothing to do: it was cancelled').waitFor()
    await page.getByRole('heading', { name: 'Notifications about it' }).waitFor()
    await keys.press('g', 'd')
    await keys.choose(/^Kitchen Pixel/)
    await keys.choose('Resume')
    await page.locator('.figures').getByText('Online').waitFor()
    assert.ok(!radioed().some(line => line.includes('Never mind')))
  })

  test('lists its keyboard shortcuts, and searches by one of them', async () => {
    await keys.press('?')
    await page.getByRole('dialog').getByText('Write a text').waitFor()
    await keys.press('Escape', '/')
    await page.locator('input[type=search]:focus').waitFor()
    await page.keyboard.type('kuma')
    await keys.press('Enter')
    await page.getByText('Hello from the webhook Uptime Kuma').waitFor()
    await page.getByText('Hello from Roost').waitFor({ state: 'detached' })
  })

  test('has accessible pages in light and dark, and none scrolls sideways', async () => {
    const details: string[] = []
    for (const list of CONSOLE_LISTS) {
      await go(list)
      details.push((await page.locator('.list a').first().getAttribute('href'))?.slice(2) ?? '')
    }
    for (const hash of [...CONSOLE_PAGES, 'more', 'nowhere', ...details]) {
      await go(hash)
      for (const [width, colorScheme] of [[375, 'dark'] as const, [1280, 'light'] as const]) {
        await page.setViewportSize({ width, height: 800 })
        await page.emulateMedia({ colorScheme })
        await checkAccessibility(page)
      }
      await page.setViewportSize({ width: 320, height: 800 })
      assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, hash)
    }
  })

  test('shows a text beside its list where there is room, and Back closes it', async () => {
    await page.setViewportSize({ width: 1280, height: 800 })
    await go('texts')
    const row = page.locator('.texts a').first()
    await row.click()
    const beside = page.getByRole('region', { name: 'What is open' })
    await beside.locator('h1').waitFor()
    assert.match(page.url(), /#\/texts\/msg_/)
    assert.equal(await row.getAttribute('aria-current'), 'true')
    await checkAccessibility(page)
    await page.reload()
    await beside.locator('h1').waitFor()
    await row.waitFor()
    await page.goBack()
    await beside.waitFor({ state: 'detached' })
    await untilTitle(page, 'Texts – Roost')
    await page.setViewportSize({ width: 1000, height: 800 })
    await row.click()
    await page.locator('h1', { hasText: /^To / }).waitFor()
    assert.equal(await beside.count(), 0)
  })

  test('shows a change in seven tabs at once', async () => {
    const tabs = await Promise.all(Array.from({ length: 7 }, () => context.newPage()))
    for (const tab of tabs) {
      await tab.goto(`${address()}/#/devices`)
      await tab.getByText('Kitchen Pixel').waitFor()
    }
    agent.child.kill('SIGKILL')
    await agent.ended
    const line = (tab: Page) => tab.locator('.list li', { hasText: 'Kitchen Pixel' })
    for (const tab of tabs) await line(tab).getByText('Offline').waitFor()
    await Promise.all(tabs.map(tab => tab.close()))
  })

  test('keeps its content while the gateway is down, and continues when it is back', async () => {
    await go('texts')
    await page.getByText('Hello from Roost').waitFor()
    assert.deepEqual(faults, [])
    await gateway.kill('SIGKILL')
    await page.getByText(AWAY).waitFor()
    assert.ok(await page.getByText('Hello from Roost').isVisible())
    await gateway.restart()
    await page.getByText(AWAY).waitFor({ state: 'detached' })
    for (const fault of faults.splice(0)) assert.match(fault, /net::ERR_(CONNECTION|EMPTY)_/)
    await fetch(webhookUrl.replace(address(), gateway.url), { method: 'POST', body: 'Still here' })
    const line = page.locator('.list li', { hasText: 'Still here' })
    await line.getByText('Queued').waitFor()
    startAgent()
    await line.getByText('Delivered').waitFor()
  })

  test('logs out, and no call was refused or failed during the journey', async () => {
    await page.locator('.nav').getByRole('button', { name: 'Log out' }).press('Enter')
    await seen('Log in to Roost')
    await page.reload()
    await seen('Log in to Roost')
    await checkAccessibility(page)
    assert.deepEqual(faults, [])
  })
})
