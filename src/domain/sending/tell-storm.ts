import { stormText } from '#domain/alert/storm-text.ts'
import { askLine } from '#domain/incident/incident-text.ts'
import { sendOwnText } from '#domain/sending/send-alert.ts'
import { pruneTriggers } from '#domain/webhook/prune-triggers.ts'
import { afterStorm, afterText, CALM_MS, delayOf, type Storm } from '#domain/webhook/storm.ts'
import { nextAllowedAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** If a text cannot be sent, it is tried again after this time. */
const RETRY_MS = 60_000

/** Tells what a webhook has gathered, if that is due, and ends a storm that has calmed down. */
export function tellStorm(world: World, webhookId: string): void {
  const { webhooks, tx, now, deadlines } = world
  pruneTriggers(world, webhookId)
  const webhook = webhooks.get(webhookId)
  const storm = webhooks.storm(webhookId, 'gathered')
  if (webhook === undefined || storm === undefined || storm.nextAt === null) return
  const isOver = !webhook.gather || !webhook.enabled || calmAt(storm) <= now.wallMs
  const waitMs = Math.min(storm.nextAt, calmAt(storm)) - now.wallMs
  if (!isOver && waitMs > 0) return deadlines.add(now.monoMs + waitMs, 'storm', webhookId)
  const retryAt = tell(world, webhook, storm)
  if (retryAt !== null) return deadlines.add(now.monoMs + (retryAt - now.wallMs), 'storm', webhookId)
  const which = { id: webhookId, kind: 'gathered', isTold: true } as const
  if (isOver) return webhooks.saveStorm(tx, which, afterStorm(storm, now.wallMs))
  const step = storm.step + 1
  const next = { ...afterText(storm), step, nextAt: now.wallMs + delayOf({ step }) }
  webhooks.saveStorm(tx, which, next)
  deadlines.add(now.monoMs + Math.min(next.nextAt, calmAt(next)) - now.wallMs, 'storm', webhookId)
}

/** Tells at once what is gathered, if it can be sent. */
export function tellAtOnce(world: World, webhook: Webhook): void {
  const storm = world.webhooks.storm(webhook.id, 'gathered')
  const text = storm === undefined ? null : textOf(world, webhook, storm)
  if (text !== null) sendOwnText(world, webhook, { text, counts: 'trigger' })
}

/** Null: told, or there is nothing to tell. Else the time to try again. */
function tell(world: World, webhook: Webhook, storm: Storm): number | null {
  const { webhooks, now } = world
  const text = textOf(world, webhook, storm)
  if (text === null) return null
  const allowedAt = nextAllowedAt(webhook, webhooks.triggers, now.wallMs)
  if (allowedAt !== null) return allowedAt
  const isSent = sendOwnText(world, webhook, { text, counts: 'trigger', about: 'storm' })
  return isSent ? null : now.wallMs + RETRY_MS
}

/** With a policy, its people read below it how to take the incident. */
function textOf({ settings: { language } }: World, { policyId }: Webhook, storm: Storm): string | null {
  return stormText(storm, language, policyId === null ? '' : askLine(language))
}

function calmAt({ lastAlertAt }: Storm): number {
  return lastAlertAt + CALM_MS
}
