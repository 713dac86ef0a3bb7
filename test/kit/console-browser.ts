/**
 * Opens pages of the console in Debian's Chromium, and collects their errors. Its headless shell is the same
 * engine without the windows of a desktop browser, for a fifth of the CPU time. `TEST_CHROMIUM` names
 * another program.
 */
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { type Browser, type BrowserServer, chromium, type Locator, type Page } from 'playwright-core'
import type { Cleaner } from '#test/kit/gateway-process.ts'

/** The pages that need no id, as what follows `#/` in their addresses. */
export const CONSOLE_PAGES = [
  '',
  'texts',
  'texts/new',
  'webhooks',
  'webhooks/new',
  'devices',
  'devices/pair',
  'device-groups/new',
  'notifications',
  'opt-outs',
  'forwards',
  'forwards/new',
  'on-call',
  'people/new',
  'groups/new',
  'rotas/new',
  'policies/new',
  'users',
  'audit',
  'settings',
]
/** The pages with a list whose entries have pages of their own. */
export const CONSOLE_LISTS = ['texts', 'webhooks', 'devices', 'notifications']

const CHROMIUM = [
  process.env['TEST_CHROMIUM'] ?? '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
].find(path => existsSync(path))
/** A name other than localhost. Browsers treat plain HTTP to it as insecure, as on a LAN. */
const HOST = 'gateway.test'
const TABS_MAX = 120
const PATIENCE_MS = 90_000

/** Why tests of the console cannot run on this machine; false if they can. */
export const withoutBrowser =
  CHROMIUM === undefined && 'chromium is not installed: apt-get install chromium-headless-shell'

const LAUNCH = {
  ...(CHROMIUM !== undefined && { executablePath: CHROMIUM }),
  args: ['--no-sandbox', `--host-resolver-rules=MAP ${HOST} 127.0.0.1`],
}

/** Starts a browser that the tests of other processes can share. Undefined: there is none. */
export async function serveBrowser(): Promise<BrowserServer | undefined> {
  if (withoutBrowser !== false) return undefined
  // It ends with this process, which a signal must still end.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false }
  return await chromium.launchServer({ ...LAUNCH, ...signals })
}

/**
 * The browser that the test runner has started, or one of the test's own. What a test opens in a shared
 * browser belongs to it alone and is closed with it.
 */
export async function openBrowser(t: Cleaner): Promise<Browser> {
  const shared = process.env['TEST_BROWSER']
  const browser = shared === undefined ? await chromium.launch(LAUNCH) : await chromium.connect(shared)
  t.after(() => browser.close())
  return browser
}

/** The same address on the name that is not localhost. */
export function onLan(url: string): string {
  return url.replace('127.0.0.1', HOST)
}

export interface WatchedPage {
  readonly page: Page
  /** All errors of the page: exceptions, failed calls, violations of its policy. */
  readonly faults: string[]
}

/** Opens a page, with timeouts that are long enough for a busy machine, and collects its errors. */
export async function openPage(opener: { newPage(): Promise<Page> }): Promise<WatchedPage> {
  const page = await opener.newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  const faults: string[] = []
  await page.addInitScript(`addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
    console.error('policy: ' + violatedDirective + ' ' + blockedURI))`)
  page.on('pageerror', error => faults.push(error.message))
  page.on('console', entry => {
    if (entry.type() === 'error') faults.push(`${entry.text()} ${entry.location().url}`)
  })
  return { page, faults }
}

/**
 * Waits for a title, whatever number of problems it begins with. `waitForFunction` would poll with `eval`,
 * which the policy of the page forbids.
 */
export async function untilTitle(page: Page, title: string): Promise<void> {
  while ((await page.title()).replace(/^\(\d+\) /, '') !== title)
    await page.evaluate('new Promise(requestAnimationFrame)')
}

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** Checks the page with axe; fails if axe finds a fault. `rules`: check only these, which is faster. */
export async function checkAccessibility(page: Page, rules?: readonly string[]): Promise<void> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(AXE)
  const only = rules === undefined ? {} : { runOnly: rules }
  const found = await page.evaluate(
    `axe.run(document, ${JSON.stringify({ resultTypes: ['violations'], ...only })}).then(({ violations }) =>
      violations.map(({ id, nodes }) => id + ' ' + nodes.map(({ html }) => html.slice(0, 120)).join(' ')))`,
  )
  assert.deepEqual(found, [], page.url())
}

/** Checks the page in light, and its contrasts in dark. */
export async function checkBothSchemes(page: Page): Promise<void> {
  await page.emulateMedia({ colorScheme: 'light' })
  await checkAccessibility(page)
  await page.emulateMedia({ colorScheme: 'dark' })
  await checkAccessibility(page, ['color-contrast'])
}

/** With `PICTURES`, a folder, a test leaves a picture of the page to look at. */
export async function takePicture(page: Page, name: string): Promise<void> {
  const folder = process.env['PICTURES']
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png`, fullPage: true })
}

/** A user who works with the keyboard only. */
export class Keyboard {
  readonly #page: Page

  constructor(page: Page) {
    this.#page = page
  }

  /** Presses one key after the other. */
  async press(...keys: readonly string[]): Promise<void> {
    for (const key of keys) await this.#page.keyboard.press(key)
  }

  /** Goes to a field by Tab, and replaces its text. */
  async type(label: string, text: string): Promise<void> {
    await this.#tabTo(this.#page.getByLabel(label, { exact: true }))
    await this.press('ControlOrMeta+A')
    await this.#page.keyboard.type(text)
  }

  /** Goes to a button or link by Tab, and presses it. */
  async choose(name: string | RegExp): Promise<void> {
    const exact = typeof name === 'string'
    const main = this.#page.locator('main')
    const found = main
      .getByRole('button', { name, exact })
      .or(main.getByRole('link', { name, exact }))
      .first()
    await this.#tabTo(found)
    await this.press('Enter')
  }

  async #tabTo(wanted: Locator): Promise<void> {
    await wanted.waitFor()
    for (let presses = 0; presses < TABS_MAX; presses++) {
      if (await wanted.evaluate(element => element.matches(':focus-visible'))) return
      await this.press('Tab')
    }
    assert.fail(`${wanted} is not reached by Tab`)
  }
}
