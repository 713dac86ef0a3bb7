/** The console where there is nothing, where calls fail or stall, and as some readers set their browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { checkBothSchemes, openBrowser, openPage, withoutBrowser } from '#test/kit/console-browser.ts'
import { bringInto, type ConsoleState, pagesIn, startInState } from '#test/kit/console-states.ts'
import type { TestGateway } from '#test/kit/gateway.ts'
import { sized } from '#test/kit/test-size.ts'

/** A browser at 200 % shows a screen of 1280 pixels as one of 640. */
const DOUBLED = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 }
/** Each with what some of its pages show. */
const STATES = [
  ['loading', '.skeleton'],
  ['error', '[role=alert]'],
  ['empty', 'h1'],
  ['out', 'form'],
  // The journey has these pages, each in one colour scheme at each width.
  ...(sized(0, 1) === 1 ? [['full', 'h1'] as const] : []),
] as const
/** In the quick size each state has other pages, one in six. */
const STEP = sized(6, 1)
const pagesOf = (state: ConsoleState, first: number) =>
  pagesIn(state).filter((_, nth, { length }) => length <= STEP || nth % STEP === first % STEP)

describe('in Chromium the console', { skip: withoutBrowser }, () => {
  const ends: (() => unknown)[] = []
  let full: TestGateway
  let empty: TestGateway
  before(async () => {
    const cleaner = { after: (end: () => unknown) => void ends.unshift(end) }
    full = await startInState(cleaner, 'full')
    empty = await startInState(cleaner, 'empty')
  })
  after(async () => {
    for (const end of ends) await end()
  })

  for (const [first, [state, mark]] of STATES.entries())
    test(`is accessible in the state ${state}`, async t => {
      const gateway = state === 'empty' || state === 'out' ? empty : full
      const context = await (await openBrowser(t)).newContext()
      await bringInto(state, context, gateway)
      const { page } = await openPage(context)
      let marked = 0
      for (const [nth, hash] of pagesOf(state, first).entries()) {
        // Each page is a load of its own, because of its query.
        await page.goto(`${gateway.url}/?${nth}#/${hash}`)
        await page.locator('h1').first().waitFor()
        if (state === 'loading' && hash === '') await page.locator(mark).waitFor()
        marked += await page.locator(mark).count()
        // Nobody may read that all is well because nothing could be read.
        if (state === 'error') assert.equal(await page.getByText('Nothing waits for anybody.').count(), 0)
        await checkBothSchemes(page)
      }
      assert.ok(marked > 0, `no page shows ${mark}`)
    })

  test('scrolls nowhere sideways at 200 % and on a tablet, and nothing moves for who wants that', async t => {
    const context = await (await openBrowser(t)).newContext({ ...DOUBLED, reducedMotion: 'reduce' })
    await bringInto('full', context, full)
    const { page } = await openPage(context)
    for (const hash of pagesIn('full')) {
      await page.goto(`${full.url}/#/${hash}`)
      await page.locator('h1').first().waitFor()
      for (const width of [DOUBLED.viewport.width, 768]) {
        await page.setViewportSize({ width, height: 400 })
        assert.equal(await page.evaluate('document.documentElement.scrollWidth - innerWidth'), 0, hash)
      }
      assert.equal(await page.evaluate('document.getAnimations().length'), 0, hash)
    }
  })

  // The last one, because it stops what others share.
  test('is accessible while the gateway is away', async t => {
    const context = await (await openBrowser(t)).newContext()
    await bringInto('away', context, full)
    const pages = []
    for (const hash of pagesOf('away', STATES.length)) {
      const { page } = await openPage(context)
      await page.goto(`${full.url}/#/${hash}`)
      await page.locator('h1').first().waitFor()
      pages.push(page)
    }
    await full.stop()
    for (const page of pages) {
      await page.getByText('What you see is from').waitFor()
      await checkBothSchemes(page)
    }
  })
})
