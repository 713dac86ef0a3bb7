/**
 * `node scripts/soak-console.ts [MINUTES]`: leaves Home and the list of texts open in Debian's Chromium
 * for 20 minutes, while 15 events a second happen: as many as in an hour with five a second. Prints the heap
 * of each page after a collection of garbage, and its nodes: at the start, in the middle and at the end.
 * Ends with 1 if a heap grew by a tenth from the middle to the end.
 */
import { setTimeout as pause } from 'node:timers/promises'
import type { CDPSession, Page } from 'playwright-core'
import { PLANS_BUILT_IN } from '#contracts/config.ts'
import { openBrowser, openPage } from '#test/kit/console-browser.ts'
import { logInBrowser } from '#test/kit/console-session.ts'
import { startFilledGateway } from '#test/kit/filled-gateway.ts'
import type { TestGateway } from '#test/kit/gateway.ts'
import { deliverAll } from '#test/kit/plant-secrets.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'

const MINUTES = Number(process.argv[2] ?? 20)
const TEXTS_PER_SECOND = 5
/** Each text is queued, sending and delivered. */
const EVENTS_PER_TEXT = 3
const PAGES = ['', 'texts']
const GROWTH_MAX = 1.1
const PLAN = { ...PLANS_BUILT_IN.pro, api_calls_per_minute: 60_000 }
const CONTENT = {
  ...{ messages: 20_000, phones: 5, deliveries: 60 },
  config: { plans: { pro: PLAN }, devices: { segments_per_minute: 6_000, segments_burst: 1_000 } },
}

interface Measured {
  readonly heapMb: number
  readonly nodes: number
}

const cleaning: (() => unknown)[] = []
const cleaner = { after: (clean: () => unknown) => void cleaning.unshift(clean) }
try {
  const gateway = await startFilledGateway(cleaner, CONTENT)
  const { token, liveKey } = await gateway.owner()
  const phone = await connectPhone(gateway, token)
  const context = await (await openBrowser(cleaner)).newContext({ viewport: { width: 1280, height: 800 } })
  await logInBrowser(context, gateway)
  const tabs: { readonly hash: string; readonly devtools: CDPSession; readonly past: Measured[] }[] = []
  for (const hash of PAGES) {
    const { page } = await openPage(context)
    await page.goto(`${gateway.url}/#/${hash}`)
    await page.locator('.picture, .texts').first().waitFor()
    tabs.push({ hash, devtools: await stayVisible(page), past: [] })
  }
  // It ends with the phone.
  deliverAll(phone, Number.POSITIVE_INFINITY).catch(() => {})
  for (const part of ['start', 'middle', 'end']) {
    // The first half minute fills the caches of the page.
    await sendFor(gateway, liveKey, part === 'start' ? 30_000 : (MINUTES / 2) * 60_000)
    for (const { hash, devtools, past } of tabs) {
      const measured = await measure(devtools)
      past.push(measured)
      const { heapMb, nodes } = measured
      process.stdout.write(
        `${part.padEnd(8)} #/${hash.padEnd(10)} heap ${heapMb.toFixed(2)} MB, ${nodes} nodes\n`,
      )
    }
  }
  for (const { hash, past } of tabs) {
    const growth = (past.at(-1)?.heapMb ?? 0) / (past.at(-2)?.heapMb ?? 1)
    if (growth > GROWTH_MAX) {
      process.stdout.write(`#/${hash} grew to ${growth.toFixed(2)} times its middle\n`)
      process.exitCode = 1
    }
  }
} finally {
  for (const clean of cleaning) await clean()
}

async function connectPhone(gateway: TestGateway, token: string): Promise<RawPhone> {
  const { json } = await gateway.call('POST', '/api/v1/devices/pairings', { token, json: {} })
  const request = { code: json?.data['code'], name: 'Hall Fairphone', platform: 'android', appVersion: '1' }
  const paired = await gateway.call('POST', '/device/v1/pair', { json: request })
  const phone = await RawPhone.ready(gateway.url, String(paired.json?.data['token']))
  cleaner.after(() => phone.close())
  return phone
}

/** A page in the background would close its socket. */
async function stayVisible(page: Page): Promise<CDPSession> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: true })
  await devtools.send('HeapProfiler.enable')
  return devtools
}

async function sendFor(gateway: TestGateway, key: string, forMs: number): Promise<void> {
  const startedAt = performance.now()
  let sent = 0
  while (performance.now() - startedAt < forMs) {
    const json = { phoneNumber: '+14155550123', message: `Text ${sent}` }
    const { status } = await gateway.call('POST', '/api/v1/sms/send', { key, json })
    if (status === 200) sent += 1
    const dueMs = (sent / TEXTS_PER_SECOND) * 1_000
    await pause(Math.max(0, dueMs - (performance.now() - startedAt)))
  }
  process.stdout.write(`${sent} texts, ${sent * EVENTS_PER_TEXT} events\n`)
}

async function measure(devtools: CDPSession): Promise<Measured> {
  for (let round = 0; round < 3; round++) await devtools.send('HeapProfiler.collectGarbage')
  const { usedSize } = await devtools.send('Runtime.getHeapUsage')
  const { nodes } = await devtools.send('Memory.getDOMCounters')
  return { heapMb: usedSize / 1e6, nodes }
}
