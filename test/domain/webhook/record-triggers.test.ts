import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOK_WINDOW_MS } from '#contracts/bounds.ts'
import type { SeenTrigger } from '#contracts/seen-trigger.ts'
import { NOT_READ, refusal, startWebhook } from '#test/kit/webhook-world.ts'

/** The logged events of webhooks since the last call, with their fields. */
function logOf({ effects }: ReturnType<typeof startWebhook>['world']) {
  const told = effects.flatMap(effect =>
    effect.kind === 'log' && effect.event.startsWith('webhook.') ? [effect] : [],
  )
  effects.length = 0
  return told.map(({ level, event, fields }) => [`${level} ${event}`, fields])
}

test('the log has each address once, at its first trigger, and never the text', () => {
  const { world, trigger, ids } = startWebhook()
  trigger()
  const address = { webhookId: ids.webhookId, name: 'alerts', address: '192.0.2.1' }
  assert.deepEqual(logOf(world), [['info webhook.new_address', address]])
  trigger()
  world.restart()
  trigger()
  assert.deepEqual(logOf(world), [])
})

test('a reached cap is logged once an hour, whether listener or writer notices it', () => {
  const { world, trigger, ids } = startWebhook()
  const { webhookId } = ids
  const overCap = [['warn webhook.over_cap', { webhookId, name: 'alerts', maxPerHour: 3 }]]
  for (let i = 0; i < 3; i++) trigger()
  logOf(world)
  refusal(() => trigger())
  assert.deepEqual(logOf(world), overCap)
  const seen = (): SeenTrigger => {
    const known = { outcome: 'OVER_CAP', format: 'generic', message: 'x' } as const
    return { at: world.wallMs, address: '192.0.2.9', ...known, ...NOT_READ }
  }
  const note = () =>
    world.ask('webhook.note', {
      notes: [{ webhookId, rejected: 1, held: null, isHeard: false, seen: [seen()] }],
    })
  note()
  refusal(() => trigger())
  assert.deepEqual(logOf(world), [])
  world.advance(WEBHOOK_WINDOW_MS)
  note()
  assert.deepEqual(logOf(world), overCap)
})
