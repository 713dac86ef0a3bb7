import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import { refusal, startWebhook } from '#test/kit/webhook-world.ts'

const MINUTE = 60_000
/** SILENT for a silence of ten minutes comes at most half a minute late. */
const GRAIN = 30_000

/** A webhook whose silence is told after ten minutes. `hear` is a request that sends no text. */
function start(fields: Partial<WebhookFields> = {}) {
  const it = startWebhook({ name: 'Backup', silentAfterMinutes: 10, ...fields })
  const note = (isHeard: boolean) => {
    const rest = { rejected: 0, held: null, seen: [] }
    it.world.ask('webhook.note', { notes: [{ webhookId: it.ids.webhookId, isHeard, ...rest }] })
  }
  const change = (change: Partial<WebhookFields>) => it.world.ask('webhook.update', { ...it.ids, change })
  const after = (minutes: number) => it.world.advance(minutes * MINUTE)
  return { ...it, hear: () => note(true), ignore: () => note(false), change, after }
}

const SILENT = 'SILENT Backup: nothing since 12:00 UTC'
const OK = 'OK Backup: heard again'

suite('silence', () => {
  test('is told once, and its end with the next trigger, which is sent as always', () => {
    const { after, texts, trigger, usage } = start()
    after(10)
    assert.deepEqual(texts(), [])
    after(0.5)
    assert.deepEqual(texts(), [SILENT])
    after(600)
    assert.deepEqual(texts(), [SILENT])
    assert.equal(trigger('backup done').message, 'backup done')
    assert.deepEqual(texts(), [SILENT, OK, 'backup done'])
    assert.deepEqual([usage().total, usage().today, usage().thisHour], [3, 3, 1])
    after(10.5)
    assert.equal(texts().at(-1), 'SILENT Backup: nothing since 22:10 UTC')
  })

  test('never counts against the cap, nor is it held up by it', () => {
    const { after, texts, trigger } = start({ maxPerHour: 1, silentAfterMinutes: 1 })
    trigger('one')
    after(2)
    refusal(() => trigger('two'))
    after(2)
    assert.deepEqual(texts(), [
      'one',
      'SILENT Backup: nothing since 12:00 UTC',
      OK,
      'SILENT Backup: nothing since 12:02 UTC',
    ])
  })

  test('ends with everything that was allowed to come: repeats, filtered alerts, and looks', () => {
    const { after, texts, trigger, hear, ignore } = start()
    for (let i = 0; i < 4; i++) {
      after(9)
      hear()
    }
    trigger('one')
    after(9)
    trigger('one')
    assert.deepEqual(texts(), ['one', 'one'])
    after(9)
    ignore()
    after(1.5)
    assert.equal(texts().length, 3)
    hear()
    assert.equal(texts().at(-1), OK)
  })

  test('begins anew when its length changes, or the webhook is switched on again', () => {
    const { after, texts, change } = start()
    after(9)
    change({ silentAfterMinutes: 20 })
    after(19)
    change({ name: 'Other' })
    assert.deepEqual(texts(), [])
    after(2)
    assert.deepEqual(texts(), ['SILENT Other: nothing since 12:09 UTC'])
    change({ enabled: false })
    after(60)
    change({ enabled: true })
    after(20)
    assert.equal(texts().length, 1)
    after(1)
    assert.equal(texts().length, 2)
    change({ silentAfterMinutes: null })
    after(600)
    assert.equal(texts().length, 2)
  })

  test('is not told while the webhook is off, or after it was removed', () => {
    const off = start({ enabled: false })
    off.after(60)
    assert.deepEqual(off.texts(), [])
    const gone = start()
    gone.world.ask('webhook.remove', gone.ids)
    gone.after(60)
    assert.deepEqual(gone.texts(), [])
  })

  test('is told later if no phone is paired', () => {
    const { world, ids, deviceId, pair, after, texts } = start()
    world.ask('device.remove', { accountId: ids.accountId, deviceId })
    after(60)
    assert.deepEqual(texts(), [])
    pair()
    after(1)
    assert.deepEqual(texts(), [SILENT])
  })

  test('survives a restart, and is told once', () => {
    const { world, after, texts, hear } = start()
    after(6)
    world.restart()
    after(4)
    assert.deepEqual(texts(), [])
    after(0.5)
    assert.deepEqual(texts(), [SILENT])
    world.restart()
    after(60)
    assert.deepEqual(texts(), [SILENT])
    hear()
    assert.deepEqual(texts(), [SILENT, OK])
  })

  for (const jumpMs of [-30 * 86_400_000, 30 * 86_400_000])
    test(`does not follow a jump of the wall clock by ${jumpMs} ms`, () => {
      const { world, after, texts } = start()
      world.wallMs += jumpMs
      world.advance(10 * MINUTE + GRAIN - 1)
      assert.deepEqual(texts(), [])
      after(1)
      assert.deepEqual(texts(), [SILENT])
    })
})
