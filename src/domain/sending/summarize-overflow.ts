import { summaryText } from '#domain/alert/storm-text.ts'
import { sendOwnText } from '#domain/sending/send-alert.ts'
import { pruneTriggers } from '#domain/webhook/prune-triggers.ts'
import { afterStorm, NO_STORM } from '#domain/webhook/storm.ts'
import { nextAllowedAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** If the summary of refused alerts cannot be sent, it is tried again after this time. */
const OVERFLOW_RETRY_MS = 600_000

/** Sends one text about the alerts held back by this webhook's cap, now or as soon as the cap allows. */
export function summarizeOverflow(world: World, webhookId: string): void {
  const { webhooks, tx, now, deadlines } = world
  const webhook = webhooks.get(webhookId)
  if (webhook === undefined || webhook.held === null) return
  if (!webhook.enabled || !webhook.summarizeOverflow) return webhooks.releaseHeld(tx, webhookId)
  pruneTriggers(world, webhookId)
  const at = nextAllowedAt(webhook, webhooks.triggers, now.wallMs)
  if (at !== null) deadlines.add(now.monoMs + (at - now.wallMs), 'overflow', webhookId)
  else if (!sendSummary(world, webhook)) deadlines.add(now.monoMs + OVERFLOW_RETRY_MS, 'overflow', webhookId)
}

/** Sends the summary. The caller has checked that the cap allows it. False: it cannot be sent now. */
export function sendSummary(world: World, webhook: Webhook): boolean {
  if (webhook.held === null) return true
  const { webhooks, tx, settings } = world
  const storm = webhooks.storm(webhook.id, 'held')
  const text = summaryText(webhook.held, storm, settings.language)
  const isSent = sendOwnText(world, webhook, { text, counts: 'trigger', about: 'roost:overflow' })
  if (!isSent) return false
  webhooks.releaseHeld(tx, webhook.id)
  const left = storm === undefined ? NO_STORM : afterStorm(storm, world.now.wallMs)
  if (left.things.length > 0) webhooks.saveStorm(tx, { id: webhook.id, kind: 'held' }, left)
  return true
}
