/** A house goes offline, twice: what its owner reads on the phone, over real HTTP and a real socket. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { MovedClock } from '#test/kit/moved-clock.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { triggeredOf, WebhookCalls } from '#test/kit/webhook-calls.ts'

const MONITORS = Array.from({ length: 40 }, (_, at) => `Monitor-${String(at + 1).padStart(2, '0')}`)
/** They stay down. */
const DEAD = ['Monitor-07', 'Monitor-23']
const ALIVE = MONITORS.filter(name => !DEAD.includes(name))
const SECOND = 1000
const MINUTE = 60 * SECOND

let gateway: TestGateway
let phone: PairedPhone
let clock: MovedClock

before(async () => {
  clock = new MovedClock()
  gateway = await startGateway({ config: { http: { listeners: 1 } }, entries: clock.entries })
})
after(async () => {
  await phone.disconnect()
  await gateway.stop()
  clock.close()
})

test('two outages of 40 monitors are told in few texts, and what stays down is named', async t => {
  const { accountId, token } = await gateway.owner()
  phone = await PairedPhone.pair(gateway, accountId)
  await phone.connect(gateway.url)
  const webhooks = new WebhookCalls(gateway, token)
  const { url } = await webhooks.create({ name: 'Kuma', maxPerHour: 20, gather: true })
  const database = new DatabaseSync(dataDirectory(gateway.dataDir).database, { readOnly: true })
  t.after(() => database.close())
  const count = database.prepare('SELECT count(*) AS n FROM message')
  const read: { readonly ms: number; readonly text: string }[] = []

  /** Moves the clock, and waits until the phone has sent all that was due. */
  async function pass(ms: number): Promise<void> {
    await clock.advance(ms)
    phone.reportBattery(90)
    await gateway.ask('device.list', { accountId })
    await phone.whenSent(Number(count.get()?.['n']))
    for (const { message } of phone.sent.slice(read.length)) read.push({ ms: clock.aheadMs, text: message })
  }
  async function report(names: readonly string[], status: 0 | 1): Promise<void> {
    for (const name of names) {
      const msg = status === 0 ? 'connect ECONNREFUSED' : '200 - OK'
      triggeredOf(await webhooks.trigger(url, { monitor: { name }, heartbeat: { status, msg } }))
      await pass(SECOND / 2)
    }
  }
  async function outage(names: readonly string[]): Promise<readonly string[]> {
    const from = read.length
    const startMs = clock.aheadMs
    await report(names, 0)
    await wait(10)
    await report(ALIVE, 1)
    await wait(35)
    const texts = read.slice(from)
    for (const { ms, text } of texts) t.diagnostic(`minute ${Math.floor((ms - startMs) / MINUTE)}: ${text}`)
    return texts.map(({ text }) => text)
  }
  async function wait(minutes: number): Promise<void> {
    for (let left = minutes * 3; left > 0; left--) await pass(20 * SECOND)
  }

  const first = await outage(MONITORS)
  assert.equal(first.length, 10)
  const second = await outage(ALIVE)
  assert.ok(second.length <= 8, `${second.length} texts`)
  for (const [texts, downs] of [
    [first, MONITORS.length],
    [second, ALIVE.length],
  ] as const) {
    assert.deepEqual(
      [told(texts, /^DOWN /, /(\d+) down: /), told(texts, /^UP /, /(\d+) up again/)],
      [downs, 38],
    )
    assert.match(texts.at(-1) ?? '', new RegExp(`^Still down: ${DEAD.join(', ')}\\. \\d+ up again$`))
  }
})

/** How many monitors the texts name alone, or count. */
function told(texts: readonly string[], alone: RegExp, counted: RegExp): number {
  return texts.reduce((sum, text) => sum + (alone.test(text) ? 1 : Number(counted.exec(text)?.[1] ?? 0)), 0)
}
