/** The console where there is nothing, where calls fail or stall, and as some readers set their browser. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { bringInto, pagesIn, startInState } from '#test/kit/console-states.ts'
import { sized } from '#test/kit/test-size.ts'

/** A browser at 200 % shows a screen of 1280 pixels as one of 640. */
const DOUBLED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
/** Each with what some of its pages show. */
const STATES = [
  ['empty', 'h1'],
  ['error', '[role=alert]'],
  ['loading', '.skeleton'],
  ['out', 'form'],
] as const
/** In the quick size one page in three. */
const STEP = sized(3, 1)
const pagesOf = (pages: readonly string[]) =>
  pages.filter((_, nth) => pages.length <= STEP || nth % STEP === 0)

describe('in Chromium the console', { skip: withoutBrowser }, () => {
  for (const [state, mark] of STATES)
    test(`is accessible in the state ${state}`, async t => {
      const gateway = await startInState(t, state)
      const context = await (await openBrowser(t)).newContext()
      await bringInto(state, context, gateway)
      const { page } = await openPage(context)
      let marked = 0
      for (const hash of pagesOf(pagesIn(state))) {
        await page.goto(`${gateway.url}/#/${hash}`)
        await page.reload()
        await page.locator('h1').first().waitFor()
        if (state === 'loading' && hash === '') await page.locator(mark).waitFor()
        marked += await page.locator(mark).count()
        // Nobody may read that all is well because nothing could be read.
        if (state === 'error') assert.equal(await page.getByText('Nothing waits for anybody.').count(), 0)
        await page.emulateMedia({ colorScheme: 'light' })
        await checkAccessibility(page)
        await page.emulateMedia({ colorScheme: 'dark' })
        await checkAccessibility(page, ['color-contrast'])
      }
      assert.ok(marked > 0, `no page shows ${mark}`)
    })

  test('is accessible while the gateway is away', async t => {
    const gateway = await startInState(t, 'away')
    const context = await (await openBrowser(t)).newContext()
    await bringInto('away', context, gateway)
    const pages = []
    for (const hash of pagesOf(pagesIn('away'))) {
      const { page } = await openPage(context)
      await page.goto(`${gateway.url}/#/${hash}`)
      await page.locator('h1').first().waitFor()
      pages.push(page)
    }
    await gateway.stop()
    for (const page of pages) {
      await page.getByText('What you see is from').waitFor()
      await checkAccessibility(page)
      await page.emulateMedia({ colorScheme: 'dark' })
      await checkAccessibility(page, ['color-contrast'])
    }
  })

  test('scrolls nowhere sideways at 200 % and on a tablet, and nothing moves for who wants that', async t => {
    const gateway = await startInState(t, 'full')
    const context = await (await openBrowser(t)).newContext({ ...DOUBLED, reducedMotion: 'reduce' })
    await bringInto('full', context, gateway)
    const { page } = await openPage(context)
    for (const hash of pagesIn('full')) {
      await page.goto(`${gateway.url}/#/${hash}`)
      await page.locator('h1').first().waitFor()
      for (const width of [DOUBLED.viewport.width, 768]) {
        await page.setViewportSize({ width, height: 400 })
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, hash)
      }
      assert.equal(await page.evaluate('document.getAnimations().length'), 0, hash)
    }
  })
})
