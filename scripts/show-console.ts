/**
 * `node scripts/show-console.ts FOLDER [STATE…]`: takes screenshots of every page of the console, 375 and
 * 1280 pixels wide, light and dark. States: full (weeks of texts), empty (a new gateway), error (every call
 * but the one for the session is refused).
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { BrowserContext } from 'playwright-core'
import { CONSOLE_LISTS, CONSOLE_PAGES, openBrowser } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startFilledGateway } from '#test/kit/filled-gateway.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'

const CONTENT = { messages: 2_000, phones: 5, deliveries: 60 }
const REFUSAL = { code: 'UNAVAILABLE', message: 'the gateway is starting; try again in a moment' }

const REFUSED = {
  status: 503,
  contentType: 'application/json',
  body: JSON.stringify({ success: false, error: REFUSAL }),
}

const [folder, ...chosen] = process.argv.slice(2)
if (folder === undefined) throw new Error('name the folder for the screenshots')
const cleaning: (() => unknown)[] = []
const cleaner = { after: (clean: () => unknown) => void cleaning.unshift(clean) }
try {
  const browser = await openBrowser(cleaner)
  for (const state of chosen.length > 0 ? chosen : ['full', 'empty', 'error']) {
    const gateway = state === 'empty' ? await startEmpty() : await startFilledGateway(cleaner, CONTENT)
    if (state === 'full') await connectPhones(gateway)
    const context = await browser.newContext()
    await logInBrowser(context, gateway)
    const pages = [...CONSOLE_PAGES, ...(state === 'full' ? await detailsOf(context, gateway) : [])]
    if (state === 'error') await context.route(/api\/v1\/(?!session$)/, route => route.fulfill(REFUSED))
    for (const page of pages) await takeScreenshots(context, `${gateway.url}/#/${page}`, join(folder, state))
    await context.close()
  }
} finally {
  for (const clean of cleaning) await clean()
}

async function startEmpty(): Promise<TestGateway> {
  const gateway = await startGateway()
  cleaner.after(() => gateway.stop())
  return gateway
}

/** Connects two phones, so that the pages show phones that are online. */
async function connectPhones(gateway: TestGateway): Promise<void> {
  const { token } = await gateway.owner()
  for (const name of ['Hall Fairphone', 'Cellar Galaxy']) {
    const { json } = await gateway.call('POST', '/api/v1/devices/pairings', { token, json: {} })
    const request = { code: json?.data['code'], name, platform: 'android', appVersion: '1' }
    const paired = await gateway.call('POST', '/device/v1/pair', { json: request })
    const phone = await RawPhone.ready(gateway.url, String(paired.json?.data['token']))
    phone.sendFrame({ type: 'telemetry', battery: 64, charging: true, signal: -83 })
    cleaner.after(() => phone.close())
  }
}

/** The page of the first entry of each list. */
async function detailsOf(context: BrowserContext, gateway: TestGateway): Promise<string[]> {
  const page = await context.newPage()
  const pages: string[] = []
  for (const list of CONSOLE_LISTS) {
    await page.goto(`${gateway.url}/#/${list}`)
    pages.push((await page.locator('.list a').first().getAttribute('href'))?.slice(2) ?? '')
  }
  await page.close()
  return pages
}

async function takeScreenshots(context: BrowserContext, url: string, into: string): Promise<void> {
  mkdirSync(into, { recursive: true })
  const page = await context.newPage()
  const name =
    new URL(url).hash
      .slice(2)
      .replace(/\/(\w{3}_\w+|%2B.*)$/, '-one')
      .replace('/', '-') || 'home'
  for (const width of [375, 1280])
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: 800 })
      await page.emulateMedia({ colorScheme })
      await page.goto(url)
      await page.waitForLoadState('networkidle')
      await page.screenshot({
        path: join(into, `${name}-${width}-${colorScheme}.png`),
        fullPage: width === 1280,
      })
    }
  await page.close()
}
