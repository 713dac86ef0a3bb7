import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { daysOf, linePath, valuesOf, withoutBreaks } from '#console/phone-past.ts'
import { lastArrival, SCRIPTS, sendersOf, wirePath } from '#console/picture.ts'
import { CELLS, cellsOf, stripPaths, stripWords } from '#console/strip-cells.ts'
import type { MessageResource } from '#contracts/message.ts'
import type { WebhookResource } from '#contracts/webhook.ts'

const AT = '2026-01-31T12:00:00.000Z'
const hook = (id: string, lastTriggeredAt: string | null) =>
  ({ id, name: id, usage: { lastTriggeredAt } }) as WebhookResource

test('the picture shows the senders that were heard last, and counts the others', () => {
  const hooks = [hook('old', null), hook('a', '2026-01-01'), hook('b', '2026-01-03'), hook('c', '2026-01-02')]
  const texts = [
    { webhookId: 'b', message: 'DOWN nas', createdAt: AT },
    { webhookId: null, message: 'Hello', createdAt: AT },
    { webhookId: 'b', message: 'UP nas', createdAt: AT },
  ]
  const { senders, others } = sendersOf(hooks, texts)
  assert.deepEqual(
    senders.map(({ id, lastText }) => [id, lastText]),
    [
      ['b', 'DOWN nas'],
      ['c', null],
      ['a', null],
      [SCRIPTS, 'Hello'],
    ],
  )
  assert.equal(others, 1)
  assert.equal(sendersOf([], []).senders[0]?.lastAt, null)
})

test('the last arrival counts from the time at which the text was to leave', () => {
  const text = { createdAt: AT, sendAt: null, deliveredAt: '2026-01-31T12:00:05.000Z', pretend: false }
  const later = { ...text, sendAt: '2026-01-31T13:00:00.000Z', deliveredAt: '2026-01-31T13:00:02.000Z' }
  const none = { ...text, deliveredAt: null }
  assert.equal(lastArrival([none, text] as MessageResource[])?.tookMs, 5_000)
  assert.deepEqual(lastArrival([text, later] as MessageResource[]), { at: later.deliveredAt, tookMs: 2_000 })
  assert.equal(lastArrival([none, { ...text, pretend: true }] as MessageResource[]), null)
})

test('a wire leads from the right edge of a node to the left edge of the next', () => {
  assert.equal(
    wirePath({ left: 0, right: 100, middle: 20 }, { left: 200, right: 300, middle: 80 }),
    'M100 20C150 20 150 80 200 80',
  )
})

test('a strip has the last 48 half-hours, and the last one is the phone as it is now', () => {
  const now = Date.parse('2026-01-31T12:10:00.000Z')
  const row = { battery: null, charging: null, signal: null, offlineMinutes: 0, sent: 3, failed: 0 }
  const rows = [
    { ...row, at: '2026-01-30T12:00:00.000Z', failed: 9 },
    { ...row, at: '2026-01-30T12:30:00.000Z' },
    { ...row, at: '2026-01-31T10:30:00.000Z', failed: 1, offlineMinutes: 20 },
    { ...row, at: '2026-01-31T11:00:00.000Z', sent: 0, offlineMinutes: 30 },
    { ...row, at: '2026-01-31T11:30:00.000Z', offlineMinutes: 10 },
  ]
  const online = { status: 'online', lastSeen: '2026-01-31T12:10:00.000Z' } as const
  const cells = cellsOf(rows, online, now)
  assert.equal(cells.length, CELLS)
  assert.deepEqual([cells[0], cells[1]], ['good', 'none'])
  assert.deepEqual(cells.slice(-5), ['none', 'bad', 'off', 'wait', 'good'])
  assert.equal(
    stripWords(rows, online, now),
    'Last 24 hours: 9 sent, 1 failed, offline for 60 min, no data for 22 h',
  )
  const offline = { status: 'offline', lastSeen: '2026-01-31T11:35:00.000Z' } as const
  assert.deepEqual(cellsOf(rows, offline, now).slice(-3), ['off', 'wait', 'off'])
  // The gateway was off and wrote nothing, but a phone that is offline was not seen in that time.
  const gone = { status: 'offline', lastSeen: '2026-01-31T08:10:00.000Z' } as const
  assert.deepEqual(cellsOf([], gone, now).slice(-10), ['none', 'none', ...new Array(8).fill('off')])
  assert.match(stripWords([], gone, now), /0 sent, 0 failed, offline for 4 h, no data for 20 h$/)
  // The half-hour before is written a moment after it is over.
  const early = Date.parse('2026-01-31T12:00:30.000Z')
  assert.deepEqual(cellsOf(rows.slice(0, 4), online, early).slice(-3), ['off', 'good', 'good'])
})

test('the kinds of half-hours differ by shape, and their colours by contrast', () => {
  const shapes = stripPaths(['good', 'wait', 'off', 'bad', 'none'].map(kind => kind as 'good'))
  assert.equal(shapes.length, 5)
  const filled = shapes.filter(([kind]) => kind !== 'off').map(([, path]) => path.replace(/^M[\d.]+/, ''))
  assert.equal(new Set(filled).size, 4)
  const read = (file: string) => readFileSync(new URL(`../../src/console/${file}`, import.meta.url), 'utf8')
  const styles = read('tokens.css') + read('home.css')
  const colours = (name: string) => {
    const [, light = '', dark = ''] =
      new RegExp(`--${name}: light-dark\\((#\\w+), (#\\w+)\\)`).exec(styles) ?? []
    return [light, dark] as const
  }
  for (const scheme of [0, 1] as const) {
    const [on, failed] = [colours('on')[scheme], colours('failed')[scheme]]
    assert.ok(contrast(on, failed) >= 3, `${on} ${failed}`)
    for (const ground of ['card', 'ground', 'bad-ground', 'wait-ground'])
      for (const mark of [on, failed, colours('dim')[scheme]])
        assert.ok(contrast(mark, colours(ground)[scheme]) >= 3, `${mark} on ${ground}`)
  }
})

/** The contrast of two colours, from 1 to 21 (WCAG 2.2). */
function contrast(one: string, other: string): number {
  const luminance = (colour: string) => {
    const digits = colour.length === 4 ? colour.slice(1).replace(/./g, '$&$&') : colour.slice(1)
    const [red = 0, green = 0, blue = 0] = [0, 2, 4].map(start => {
      const share = Number.parseInt(digits.slice(start, start + 2), 16) / 255
      return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    })
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b)
  return (lighter + 0.05) / (darker + 0.05)
}

test('a line of values breaks where a phone was away, and ends with what every page shows', () => {
  const row = { charging: null, offlineMinutes: 0, sent: 2, failed: 0 }
  const rows = [
    { ...row, at: '2026-01-31T10:00:00.000Z', battery: 50, signal: null },
    { ...row, at: '2026-01-31T10:30:00.000Z', battery: 100, signal: -90 },
    { ...row, at: '2026-01-31T11:30:00.000Z', battery: 0, signal: -100, failed: 1 },
  ]
  const now = Date.parse('2026-01-31T12:30:00Z')
  const span = { from: Date.parse('2026-01-31T10:30:00Z'), until: now, low: 0, high: 100 }
  const phone = { status: 'online', lastSeen: '2026-01-31T12:30:00.000Z', battery: 44, signal: null } as const
  const values = (one: Parameters<typeof valuesOf>[2]['phone']) =>
    valuesOf('battery', rows, { phone: one, now })
  assert.equal(linePath(values(phone), span), 'M0 50L250 0M750 100L1000 56')
  assert.equal(withoutBreaks('M0 50L250 0M750 100L1000 56'), 'M0 50L250 0L750 100L1000 56')
  // Offline, it ends when the phone was last seen.
  const gone = { ...phone, status: 'offline', lastSeen: '2026-01-31T11:30:00.000Z' } as const
  assert.deepEqual(values(gone).at(-1), { at: Date.parse(gone.lastSeen), value: 44 })
  assert.equal(values({ ...phone, battery: null }).at(-1)?.value, 0)
  assert.deepEqual(daysOf(rows, Date.parse('2026-01-31T12:10:00Z')), [
    { day: 'Today', sent: 6, failed: 1, battery: 0, signal: -100 },
  ])
})
