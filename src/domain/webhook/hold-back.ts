import type { HeldAlerts } from '#contracts/seen-trigger.ts'
import { nextAllowedAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** Counts alerts that the cap refused, until a text can report them. Retries of one request count once. */
export function holdBack(world: World, webhook: Webhook, alerts: HeldAlerts): void {
  if (!webhook.summarizeOverflow) return
  const { webhooks, tx, now, deadlines } = world
  const { held } = webhook
  const isRepeat = held !== null && alerts.count === 1 && isSame(held.requestHash, alerts.requestHash)
  const count = isRepeat ? 0 : alerts.count
  webhooks.holdBack(tx, webhook.id, { ...alerts, count })
  if (held !== null) return
  const at = nextAllowedAt(webhook, webhooks.triggers, now.wallMs) ?? now.wallMs
  deadlines.add(now.monoMs + (at - now.wallMs), 'overflow', webhook.id)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
