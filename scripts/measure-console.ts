/**
 * `node scripts/measure-console.ts [sizes] [pages] [latency] [login] [paint]`: measures the console in
 * Debian's Chromium. `sizes`: the bytes of the first page, and of all pages. `pages`: the time to open each
 * page, with 100,000 messages, 50 phones and 1,000 deliveries. `latency`: the time from a send until its row
 * is on the screen. `login`: the time to show the login page and an empty page, on a processor slowed down
 * six times. `paint`: the same for the useful content of Home, Messages and Phones, with 20,000 texts and
 * 500 phones.
 */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { median } from '#bench/load/quantiles.ts'
import { openBrowser, openPage } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startFilledGateway } from '#test/kit/filled-gateway.ts'
import type { TestGateway } from '#test/kit/gateway.ts'

const CONTENT = { messages: 100_000, phones: 50, deliveries: 1_000 }
const CROWD = { messages: 20_000, phones: 500, deliveries: 1_000 }
/** What a reader wants of the page. */
const USEFUL = [
  ['', '.picture .phones .node'],
  ['texts', '.texts .number'],
  ['devices', '.list a'],
] as const
const PAGES = [
  'texts',
  'texts?q=parcel',
  'texts?cut=failed',
  'texts/new',
  'webhooks',
  'devices',
  'webhooks/new',
  'devices/pair',
  'notifications',
  'settings',
  '',
]
const ROUNDS = 5
const SENDS = 20
const SEND_EVERY_MS = 2_500
const CPU_SLOWDOWN = 6
const LOG_INS = 7
const QUIET_MS = 600
const PATIENCE_MS = 90_000
const RECORD_DRAWING = `
  window.drawnAt = 0; window.seen = {};
  new MutationObserver(() => {
    drawnAt = performance.now();
    // A new row has no innerText before its first frame, because the browser may skip its layout.
    const text = document.body?.textContent ?? '';
    for (const [probe] of text.matchAll(/probe-\\d+!/g)) seen[probe] ??= Date.now();
  }).observe(document, { subtree: true, childList: true })`

const [first, ...others] = process.argv.slice(2)
const wanted = first === undefined ? ['sizes', 'pages', 'latency', 'login', 'paint'] : [first, ...others]
const cleaning: (() => unknown)[] = []
const cleaner = { after: (clean: () => unknown) => void cleaning.unshift(clean) }
try {
  const browser = await openBrowser(cleaner)
  if (wanted.includes('paint')) await measurePaint(browser, await startFilledGateway(cleaner, CROWD))
  const gateway = await startFilledGateway(cleaner, CONTENT)
  if (wanted.includes('sizes')) await measureSizes(gateway)
  if (wanted.includes('login')) await measureLogIn(browser, gateway)
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addInitScript(RECORD_DRAWING)
  await logInBrowser(context, gateway)
  const { page } = await openPage(context)
  await page.goto(`${gateway.url}/#/more`)
  if (wanted.includes('pages')) for (const hash of PAGES) await measurePage(page, hash)
  if (wanted.includes('latency')) await measureLatency(page, gateway)
} finally {
  for (const clean of cleaning) await clean()
}

/** Measures the time from opening a page to its last answer, and from there until nothing more is drawn. */
async function measurePage(page: Page, hash: string): Promise<void> {
  const rounds: { readonly apiMs: number; readonly drawMs: number }[] = []
  for (let round = 0; round < ROUNDS; round++) {
    await page.reload()
    await page.evaluate("location.hash = '#/more'")
    await page.waitForTimeout(QUIET_MS)
    rounds.push(
      await page.evaluate(`new Promise(done => {
        performance.clearResourceTimings();
        drawnAt = performance.now();
        location.hash = '#/${hash}';
        const startedAt = performance.now();
        const timer = setInterval(() => {
          const calls = performance.getEntriesByType('resource').filter(one => one.name.includes('/api/'));
          const answeredAt = Math.max(startedAt, ...calls.map(one => one.responseEnd));
          if (performance.now() - Math.max(drawnAt, answeredAt) < ${QUIET_MS}) return;
          clearInterval(timer);
          done({ apiMs: answeredAt - startedAt, drawMs: Math.max(0, drawnAt - answeredAt) });
        }, 20);
      })`),
    )
  }
  const api = median(rounds.map(({ apiMs }) => apiMs))
  const draw = median(rounds.map(({ drawMs }) => drawMs))
  print(`#/${hash}`.padEnd(26), `last answer after ${ms(api)}, drawn ${ms(draw)} later`)
}

/** Measures the time from a send until its row is on the screen, for one send at a time. */
async function measureLatency(page: Page, gateway: TestGateway): Promise<void> {
  const { liveKey } = await gateway.owner()
  await page.evaluate("location.hash = '#/texts'")
  const took: number[] = []
  for (let index = 0; index < SENDS; index++) {
    await page.waitForTimeout(SEND_EVERY_MS)
    const message = `probe-${index}!`
    const json = { phoneNumber: '+14155550123', message, queueIfOffline: true }
    const sentAt = Date.now()
    const { status, text } = await gateway.call('POST', '/api/v1/sms/send', { key: liveKey, json })
    if (status !== 200) throw new Error(`the send was refused: ${text}`)
    const seenAt = await page.evaluate(`new Promise(done => {
      const timer = setInterval(() => {
        if (seen['${message}'] === undefined) return;
        clearInterval(timer);
        done(seen['${message}']);
      }, 20);
    })`)
    took.push(Number(seenAt) - sentAt)
  }
  print(
    `from a send to its row on the screen, ${SENDS} sends`,
    `median ${ms(median(took))}, longest ${ms(Math.max(...took))}`,
  )
}

/** Measures with an empty cache: each page load has a browser context of its own. */
async function measureLogIn(browser: Browser, gateway: TestGateway): Promise<void> {
  const server = createServer((_, response) => {
    response.setHeader('Content-Type', 'text/html').end('<!doctype html><title>x</title><h1>Empty</h1>')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  cleaner.after(() => server.close())
  const empty = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const took = { empty: [] as number[], console: [] as number[] }
  for (let round = 0; round < LOG_INS; round++) {
    took.empty.push(await msUntilHeading(browser, empty))
    took.console.push(await msUntilHeading(browser, `${gateway.url}/`))
  }
  const [before, ours] = [median(took.empty), median(took.console)]
  const figures = `${ms(ours)}, an empty page ${ms(before)}: ${ms(ours - before)} more`
  print(`login form shown, processor ${CPU_SLOWDOWN} times slower`, figures)
}

/** Also with an empty cache, and logged in. */
async function measurePaint(browser: Browser, gateway: TestGateway): Promise<void> {
  for (const [hash, content] of USEFUL) {
    const took: number[] = []
    const busy: number[] = []
    const open = async () => {
      const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
      await logInBrowser(context, gateway)
      return context
    }
    for (let round = 0; round < LOG_INS; round++) {
      took.push(await msUntil(await open(), `${gateway.url}/#/${hash}`, content))
      busy.push(await busyMsUntil(await open(), `${gateway.url}/#/${hash}`, content))
    }
    print(
      `#/${hash} shows ${content}, processor ${CPU_SLOWDOWN} times slower`,
      `median ${ms(median(took))}, ${ms(Math.min(...took))} to ${ms(Math.max(...took))}; ` +
        `without that its thread computes ${ms(median(busy))}`,
    )
  }
}

/** The processor time of the page's main thread, which hardly depends on the other load of the machine. */
async function busyMsUntil(context: BrowserContext, url: string, content: string): Promise<number> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  await devtools.send('Performance.enable', { timeDomain: 'threadTicks' })
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(content).first().waitFor()
  const { metrics } = await devtools.send('Performance.getMetrics')
  await context.close()
  return (metrics.find(({ name }) => name === 'TaskDuration')?.value ?? 0) * 1_000
}

/** The bytes that a browser loads for the first page, and those of all that the console can load. */
async function measureSizes({ url }: TestGateway): Promise<void> {
  const first = linksOf(`${url}/`, await textOf(`${url}/`))
  const known = new Set(first)
  for (const link of known)
    if (link.endsWith('.js')) for (const one of linksOf(link, await textOf(link))) known.add(one)
  for (const [name, links] of [
    ['first page', first],
    ['all pages and languages', [...known]],
  ] as const) {
    const sizes = await Promise.all(links.map(async link => [link, await zippedBytes(link)] as const))
    const sum = (ending: string) =>
      sizes.reduce((total, [link, bytes]) => total + (link.endsWith(ending) ? bytes : 0), 0)
    print(`${name}, gzip`, `script ${sum('.js')} bytes, style ${sum('.css')}, in ${links.length} files`)
  }
}

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text()
}

/** The files that a page or script names. */
function linksOf(base: string, text: string): string[] {
  const named = text.matchAll(/(?:src|href)="([^"]+)"|["'](\.\/[\w-]+\.js)["']/g)
  return [...new Set([...named].map(([, link, part]) => new URL(link ?? part ?? '', base).href))]
}

async function zippedBytes(url: string): Promise<number> {
  const response = await fetch(url, { headers: { 'Accept-Encoding': 'gzip' } })
  await response.arrayBuffer()
  return Number(response.headers.get('content-length'))
}

async function msUntilHeading(browser: Browser, url: string): Promise<number> {
  return await msUntil(await browser.newContext(), url, 'h1')
}

/** Opens the address in a new tab with a slow processor. Returns how long the first such element takes. */
async function msUntil(context: BrowserContext, url: string, content: string): Promise<number> {
  const page = await context.newPage()
  const devtools = await context.newCDPSession(page)
  page.setDefaultTimeout(PATIENCE_MS)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
  const startedAt = performance.now()
  await page.goto(url, { waitUntil: 'commit' })
  await page.locator(content).first().waitFor()
  const took = performance.now() - startedAt
  await context.close()
  return took
}

function ms(value: number): string {
  return `${Math.round(value)} ms`
}

function print(what: string, figures: string): void {
  process.stdout.write(`${what}  ${figures}\n`)
}
