import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { AlertFacts } from '#contracts/alert-reading.ts'
import { WEBHOOK_WINDOW_MS } from '#contracts/bounds.ts'
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import { hash } from '#storage/source.ts'
import { NO_FACTS, refusal, startWebhook } from '#test/kit/webhook-world.ts'

/** A webhook with a cap of two an hour, with two accepted alerts and these refused ones. */
function startFull(refused: readonly string[], fields: Partial<WebhookFields> = {}, plan = 'pro') {
  const it = startWebhook({ maxPerHour: 2, summarizeOverflow: true, ...fields }, plan)
  const texts = () => it.texts().filter(text => !text.includes('further ones are held back'))
  it.trigger('one')
  it.world.advance(60_000)
  it.trigger('two')
  for (const text of refused) refusal(() => it.trigger(text))
  const note = (text: string, count: number) =>
    it.world.ask('webhook.note', {
      notes: [
        {
          webhookId: it.ids.webhookId,
          rejected: count,
          held: { count, text, requestHash: hash(text), facts: [] },
          isHeard: false,
          seen: [],
        },
      ],
    })
  return { ...it, texts, note }
}

test('one text summarizes the alerts over the cap when there is room, and counts as a trigger', () => {
  const { world, texts, usage, trigger } = startFull(['three', 'four'])
  world.advance(WEBHOOK_WINDOW_MS - 60_001)
  assert.deepEqual(texts(), ['one', 'two'])
  world.advance(1)
  assert.deepEqual(texts(), ['one', 'two', '2 more alerts held back. Last: four'])
  assert.deepEqual([usage().thisHour, usage().total], [2, 3])
  refusal(() => trigger('five'))
  world.advance(60_000)
  assert.equal(texts().at(-1), '1 more alert held back. Last: five')
})

test('the summary survives a restart, and includes alerts that a listener refused', () => {
  const { world, texts, note } = startFull(['three'])
  note('nine', 6)
  world.restart()
  world.advance(WEBHOOK_WINDOW_MS)
  assert.equal(texts().at(-1), '7 more alerts held back. Last: nine')
})

test('a sender that tries the same alert again is counted once', () => {
  const { world, texts } = startFull(['three', 'three', 'three'])
  world.advance(WEBHOOK_WINDOW_MS)
  assert.equal(texts().at(-1), '1 more alert held back. Last: three')
})

test('after the cap was raised the summary is sent at once', () => {
  const { world, ids, texts } = startFull(['three'])
  world.ask('webhook.update', { ...ids, change: { maxPerHour: 3 } })
  assert.deepEqual(texts(), ['one', 'two', '1 more alert held back. Last: three'])
})

test('the summary is sent before the next alert', () => {
  const { world, texts, trigger } = startFull(['three'])
  world.wallMs += WEBHOOK_WINDOW_MS
  world.restart()
  trigger('later')
  assert.deepEqual(texts(), ['one', 'two', '1 more alert held back. Last: three', 'later'])
})

test('no summary is sent if it is switched off, or the webhook is disabled or removed', () => {
  const quiet = startFull(['three'], { summarizeOverflow: false })
  quiet.world.advance(2 * WEBHOOK_WINDOW_MS)
  assert.deepEqual(quiet.texts(), ['one', 'two'])
  for (const change of [{ enabled: false }, { summarizeOverflow: false }]) {
    const { world, ids, texts } = startFull(['three'])
    world.ask('webhook.update', { ...ids, change })
    world.advance(2 * WEBHOOK_WINDOW_MS)
    world.ask('webhook.update', { ...ids, change: { enabled: true, summarizeOverflow: true } })
    world.advance(2 * WEBHOOK_WINDOW_MS)
    assert.deepEqual(texts(), ['one', 'two'])
  }
  const gone = startFull(['three'])
  gone.world.ask('webhook.remove', gone.ids)
  gone.world.advance(2 * WEBHOOK_WINDOW_MS)
  assert.deepEqual(gone.texts(), ['one', 'two'])
})

test("a summary over the day's quota is sent on the next day", () => {
  const recipients = Array.from({ length: 5 }, (_, i) => ({ phoneNumber: `+1415555012${i}`, country: 'US' }))
  const { world, texts } = startFull(['three'], { recipients }, 'free')
  world.advance(2 * WEBHOOK_WINDOW_MS)
  assert.equal(texts().length, 10)
  world.advance(12 * WEBHOOK_WINDOW_MS)
  assert.equal(texts().length, 15)
  assert.equal(texts().at(-1), '1 more alert held back. Last: three')
})

test('the held-back text is erased from the disk after the summary was sent', () => {
  const { world } = startFull(['three'])
  world.advance(WEBHOOK_WINDOW_MS)
  const row = world.database.prepare('SELECT held_count, held_text, held_hash FROM webhook').get()
  assert.deepEqual({ ...row }, { held_count: 0, held_text: null, held_hash: null })
})

suite('the notice', () => {
  /** A webhook with a cap of one an hour that took one alert at 12:00, and its notices so far. */
  function startNoticed(fields: Partial<WebhookFields> = {}) {
    const it = startWebhook({ maxPerHour: 1, summarizeOverflow: true, name: 'Monitoring', ...fields })
    const notices = () => it.texts().filter(text => text.includes('further ones'))
    it.trigger()
    return { ...it, notices }
  }

  test('of the first refusal of an hour is sent at once, and counts nowhere', () => {
    const { world, trigger, notices, usage } = startNoticed()
    assert.deepEqual(notices(), [])
    refusal(() => trigger())
    refusal(() => trigger())
    assert.deepEqual(notices(), [
      'Monitoring: more than 1 alerts in an hour; further ones are held back until 13:00 or told together ' +
        'then (UTC)',
    ])
    assert.deepEqual([usage().thisHour, usage().total], [1, 1])
    // The summary takes the place that is free after an hour.
    world.advance(WEBHOOK_WINDOW_MS)
    refusal(() => trigger())
    assert.equal(notices().length, 2)
  })

  test('names the time on the wall clock of the gateway', () => {
    const { world, trigger, notices } = startNoticed()
    Object.assign(world.settings, { timeZone: () => 'Europe/Berlin' })
    refusal(() => trigger())
    assert.match(notices()[0] ?? '', /until 14:00 or told together then$/)
  })

  test('is not sent without summarizeOverflow, nor again after a restart', () => {
    const quiet = startNoticed({ summarizeOverflow: false })
    refusal(() => quiet.trigger())
    assert.deepEqual(quiet.notices(), [])
    const { world, trigger, notices } = startNoticed()
    refusal(() => trigger())
    world.restart()
    refusal(() => trigger())
    assert.equal(notices().length, 1)
  })
})

test('the summary names the things, the worst first', () => {
  const { world, ids, trigger, texts } = startFull([])
  const about = (subject: string, change: Partial<AlertFacts> = {}) =>
    refusal(() =>
      trigger(`about ${subject}`, {
        ...NO_FACTS,
        key: `thing:${subject}`,
        subject,
        state: 'firing',
        severity: null,
        ...change,
      }),
    )
  about('Blog', { severity: 'warning' })
  about('NAS', { severity: 'critical' })
  about('Router')
  refusal(() => trigger('Router is up', { ...NO_FACTS, key: 'thing:Router', state: 'recovered' }))
  const pi = { key: 'thing:Pi', subject: 'Pi', state: 'firing', severity: 'critical' } as const
  const facts = [{ ...NO_FACTS, ...pi }]
  const held = { count: 1, text: 'about Pi', requestHash: hash('pi'), facts }
  const note = { webhookId: ids.webhookId, rejected: 1, isHeard: false, held, seen: [] }
  world.ask('webhook.note', { notes: [note] })
  world.restart()
  world.advance(WEBHOOK_WINDOW_MS)
  assert.equal(texts().at(-1), '5 more alerts held back. 3 down: NAS, Pi, Blog. 1 up again. Last: about Pi')
  const [left] = world.database.prepare('SELECT gathered FROM webhook_storm').all()
  assert.ok(!String(left?.['gathered']).includes('about'))
})

test('the summary says what is still down, also of what was told before the cap was reached', () => {
  const { world, trigger, texts } = startWebhook({ maxPerHour: 3, summarizeOverflow: true })
  const about = (subject: string, state: 'firing' | 'recovered') =>
    trigger(`${subject} ${state} at ${world.wallMs}`, {
      ...NO_FACTS,
      key: `thing:${subject}`,
      subject,
      state,
    })
  for (const subject of ['NAS', 'Router', 'Blog']) about(subject, 'firing')
  for (const subject of ['Pi', 'Mail']) refusal(() => about(subject, 'firing'))
  for (const subject of ['Router', 'Pi', 'Mail']) refusal(() => about(subject, 'recovered'))
  world.advance(WEBHOOK_WINDOW_MS)
  assert.match(texts().at(-1) ?? '', /^5 more alerts held back\. Still down: NAS, Blog\. 3 up again\. Last: /)
  // What is told alone is no longer down.
  about('Blog', 'recovered')
  about('Nextcloud', 'firing')
  refusal(() => about('Wiki', 'firing'))
  world.restart()
  world.advance(WEBHOOK_WINDOW_MS)
  assert.match(
    texts().at(-1) ?? '',
    /^1 more alert held back\. Still down: NAS, Nextcloud\. Last: Wiki firing/,
  )
})

test('a webhook that wants no recoveries does not say what is still down', () => {
  const { world, trigger, texts } = startWebhook({
    maxPerHour: 1,
    summarizeOverflow: true,
    sendRecovered: false,
  })
  const alarm = (subject: string) =>
    trigger(`${subject} is down`, { ...NO_FACTS, key: `thing:${subject}`, subject, state: 'firing' })
  alarm('NAS')
  refusal(() => alarm('Pi'))
  world.advance(WEBHOOK_WINDOW_MS)
  assert.equal(texts().at(-1), '1 more alert held back. Last: Pi is down')
})
