/**
 * `node scripts/show-console.ts FOLDER [--locale de] [--width 375]… [--page messages]… [STATE…]`: takes
 * screenshots of every page of the console: 375, 768, 1280 and 1920 pixels wide, light and dark. The states
 * are those of `test/kit/console-states.ts`. In the state `full` there is also a page of each list's first
 * entry: `messages-one`.
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
  },
})
const [folder, ...chosen] = positionals
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
    await showState(context, gateway, state)
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
