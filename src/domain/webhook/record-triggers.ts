import type { SeenTrigger } from '#contracts/seen-trigger.ts'
import { windowAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Stores triggers, so that the webhook's owner can see them. Logs the address of an accepted trigger if no
 * stored, accepted trigger came from it. Logs, at most once an hour, that the cap refused a trigger.
 */
export function recordTriggers(world: World, webhook: Webhook, seen: readonly SeenTrigger[]): void {
  const { seenTriggers, tx, now, effects } = world
  const { id: webhookId, name, maxPerHour } = webhook
  for (const { outcome, address } of seen) {
    if (outcome !== 'TRIGGERED' || seenTriggers.hasTriggered(webhookId, address)) continue
    const fields = { webhookId, name, address }
    effects.push({ kind: 'log', level: 'info', event: 'webhook.new_address', fields })
  }
  const isOverCap = seen.some(({ outcome }) => outcome === 'OVER_CAP')
  if (isOverCap && !seenTriggers.wasOverCap(webhookId, windowAt(now.wallMs).since)) {
    const fields = { webhookId, name, maxPerHour }
    effects.push({ kind: 'log', level: 'warn', event: 'webhook.over_cap', fields })
  }
  // The owner may have switched it off since the listener read the webhook.
  const kept = webhook.keepLastBody ? seen : seen.map(one => ({ ...one, kept: null }))
  seenTriggers.add(tx, webhookId, kept)
}
