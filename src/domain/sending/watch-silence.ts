import { say } from '#contracts/words.ts'
import { clockOf } from '#domain/clock-words.ts'
import { sendOwnText } from '#domain/sending/send-alert.ts'
import { pruneTriggers } from '#domain/webhook/prune-triggers.ts'
import { silenceFrom } from '#domain/webhook/silence.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** If SILENT cannot be sent, it is tried again after this time. */
const RETRY_MS = 60_000
const SILENCE = { counts: 'statistics', about: 'roost:silent' } as const

/** Notes that a request came that was allowed to. After SILENT, recipients are told. */
export function hear(world: World, webhook: Webhook): void {
  const { webhooks, tx, now, deadlines, settings } = world
  const { id, name, silentAfterMinutes, enabled, heardAt, silentAt } = webhook
  if (silentAfterMinutes === null || !enabled) return
  const isSilent = silentAt === null && heardAt !== null
  // If it cannot be sent now, it is sent with the next request.
  const text = say(settings.language, 'OK {name}: heard again', { name })
  if (isSilent && !sendOwnText(world, webhook, { ...SILENCE, text, isOver: true })) return
  const next = silenceFrom(webhook, now.wallMs)
  webhooks.saveSilence(tx, { id, ...next })
  if (silentAt === null) deadlines.add(now.monoMs + (next.silentAt ?? 0) - now.wallMs, 'silence', id)
}

/** Tells recipients that a webhook has heard nothing for too long, once; or waits until then. */
export function raiseSilence(world: World, webhookId: string): void {
  const { webhooks, tx, now, deadlines, settings } = world
  pruneTriggers(world, webhookId)
  const webhook = webhooks.get(webhookId)
  if (webhook === undefined || webhook.silentAt === null) return
  const { id, name, heardAt, silentAt } = webhook
  const leftMs = silentAt - now.wallMs
  if (leftMs > 0) return deadlines.add(now.monoMs + leftMs, 'silence', id)
  const since = clockOf(heardAt ?? now.wallMs, { nowMs: now.wallMs, timeZone: settings.timeZone() })
  const text = say(settings.language, 'SILENT {name}: nothing since {since}', { name, since })
  if (sendOwnText(world, webhook, { ...SILENCE, text }))
    webhooks.saveSilence(tx, { id, heardAt, silentAt: null })
  else deadlines.add(now.monoMs + RETRY_MS, 'silence', id)
}
