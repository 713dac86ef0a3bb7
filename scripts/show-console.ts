/**
 * `node scripts/show-console.ts FOLDER [--locale de] [--width 375]… [--page messages]… [STATE…]`: takes
 * screenshots of every page of the console: 375, 768, 1280 and 1920 pixels wide, light and dark. The states
 * are those of `test/kit/console-states.ts`. In the state `full` there is also a page of each list's first
 * entry: `messages-one`. With `--product .github/console.png` it makes only the picture of README.md.
 */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { CONSOLE_LISTS, openBrowser } from '#test/kit/console-browser.ts'
import {
  bringInto,
  CONSOLE_STATES,
  type ConsoleState,
  pagesIn,
  startInState,
} from '#test/kit/console-states.ts'
import type { TestGateway } from '#test/kit/gateway.ts'

const WIDTHS = [375, 768, 1280, 1920]
const HEIGHT = 900
/** A placeholder appears late, and the dots of the picture need a moment. */
const SETTLED_MS = 700
/** So long after a gateway has stopped, the pages say so. */
const AWAY_MS = 3_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    locale: { type: 'string', default: 'en-GB' },
    width: { type: 'string', multiple: true },
    page: { type: 'string', multiple: true },
    product: { type: 'string' },
  },
})
const { product } = values
const [folder, ...chosen] = product === undefined ? positionals : ['', 'full']
if (folder === undefined) throw new Error('name the folder for the screenshots')
const widths = values.width?.map(Number) ?? WIDTHS
const cleaning: (() => unknown)[] = []
const cleaner = { after: (clean: () => unknown) => void cleaning.unshift(clean) }
try {
  const browser = await openBrowser(cleaner)
  for (const state of CONSOLE_STATES.filter(one => chosen.length === 0 || chosen.includes(one))) {
    const gateway = await startInState(cleaner, state)
    const context = await browser.newContext({ locale: values.locale, viewport: null })
    await bringInto(state, context, gateway)
    if (product === undefined) await showState(context, gateway, state)
    else await showProduct(context, gateway, product)
    await context.close()
  }
} finally {
  for (const clean of cleaning) await clean()
}

async function showState(context: BrowserContext, gateway: TestGateway, state: ConsoleState): Promise<void> {
  const all = [...pagesIn(state), ...(state === 'full' ? await detailsOf(context, gateway) : [])]
  const hashes = all.filter(hash => values.page === undefined || values.page.includes(nameOf(hash)))
  const into = join(folder ?? '', state)
  mkdirSync(into, { recursive: true })
  const pages: (readonly [path: string, page: Page])[] = []
  for (const hash of hashes) {
    const page = await context.newPage()
    await page.goto(`${gateway.url}/#/${hash}`)
    await page.locator('h1').first().waitFor()
    await page.waitForTimeout(SETTLED_MS)
    const path = join(into, nameOf(hash))
    if (state === 'away') pages.push([path, page])
    else await takeScreenshots(page, path)
  }
  if (state !== 'away') return
  await gateway.stop()
  for (const [path, page] of pages) {
    await page.bringToFront()
    await page.waitForTimeout(AWAY_MS)
    await takeScreenshots(page, path)
  }
}

/** The page Now beside a phone with the text of the alert that waits. */
async function showProduct(context: BrowserContext, gateway: TestGateway, file: string): Promise<void> {
  const now = await context.newPage()
  await now.setViewportSize({ width: 1280, height: 720 })
  await now.goto(gateway.url)
  await now.locator('.waits').first().waitFor()
  await now.getByRole('button', { name: 'Hide' }).click()
  await now.waitForTimeout(SETTLED_MS)
  const screen = (await now.screenshot()).toString('base64')
  const { token } = await gateway.owner()
  const { json } = await gateway.call('GET', '/api/v1/sms?kind=webhook&limit=1', { token })
  const page = await context.newPage()
  await page.setViewportSize({ width: 1600, height: 760 })
  await page.setContent(`<style>
    body { margin: 0; height: 760px; display: flex; gap: 32px; align-items: center; justify-content: center;
      background: #e8ecf1; font: 20px/1.35 sans-serif; color: #17202a }
    img { width: 1216px; border-radius: 10px; border: 1px solid #c5ced8 }
    .phone { width: 236px; height: 480px; padding: 40px 14px; border: 10px solid #17202a; border-radius: 36px;
      background: #fff }
    .phone p { margin: 8px 0; padding: 12px; border-radius: 16px 16px 16px 4px; background: #e4e9ef;
      white-space: pre-wrap }
    </style><img src="data:image/png;base64,${screen}"><div class="phone"><p></p></div>`)
  await page
    .locator('.phone p')
    .first()
    .evaluate((line, text) => {
      line.textContent = text
    }, String(json?.data[0]?.['message']))
  await page.screenshot({ path: file })
}

async function takeScreenshots(page: Page, path: string): Promise<void> {
  for (const width of widths)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.setViewportSize({ width, height: HEIGHT })
      await page.emulateMedia({ colorScheme })
      await page.waitForTimeout(100)
      await page.screenshot({ path: `${path}-${width}-${colorScheme}.png`, fullPage: width > 1000 })
    }
  await page.close()
}

/** `messages-one` for the page of a message. */
function nameOf(hash: string): string {
  const name = hash.replace(/\/(\w{3}_\w+|%2B.*)$/, '-one').replace('/', '-')
  return name === '' ? 'home' : name
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
