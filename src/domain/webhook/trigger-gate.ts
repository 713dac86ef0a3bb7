/**
 * Decides whether a trigger is accepted. A listener checks first, so that a refusal costs no rendering. The
 * writer checks again where it counts the trigger, which makes the cap exact.
 */

import type { RenderedAlert } from '#contracts/alert-reading.ts'
import { WEBHOOK_WINDOW_MS } from '#contracts/bounds.ts'
import { ALERT_SEVERITIES } from '#contracts/webhook.ts'
import { limitReached, type Problem } from '#domain/problem.ts'
import { DAY_MS } from '#domain/time.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { Span, TriggerLog } from '#domain/webhook/webhook-store.ts'

/** An identical request within this time is a repetition by the sender, for which no second text is sent. */
export const TRIGGER_REPEAT_MS = 60_000

/** Mail servers try for days to hand in a mail, and send it again if they missed the answer. */
const MAIL_REPEAT_MS = 3 * DAY_MS

/** The hour before this time, in which triggers count towards the cap. */
export function windowAt(wallMs: number): Span {
  return { since: wallMs - WEBHOOK_WINDOW_MS, until: wallMs }
}

/** The time span in which the same request counts as a repeat. */
export function repeatSpanAt(wallMs: number): Span {
  return { since: wallMs - TRIGGER_REPEAT_MS, until: wallMs }
}

/** The time span in which the same mail counts as a repeat. */
export function mailSpanAt(wallMs: number): Span {
  return { since: wallMs - MAIL_REPEAT_MS, until: wallMs }
}

/** Whether the owner's filters stop an alert: it is too mild, or only says that a problem is over. */
export function isFiltered(
  { minSeverity, sendRecovered }: Webhook,
  { severity, state }: Pick<RenderedAlert, 'severity' | 'state'>,
): boolean {
  if (!sendRecovered && state === 'recovered') return true
  if (minSeverity === null || severity === null) return false
  return ALERT_SEVERITIES.indexOf(severity) < ALERT_SEVERITIES.indexOf(minSeverity)
}

/** The wall-clock time at which the cap allows one more trigger. Null: now. */
export function nextAllowedAt(webhook: Webhook, triggers: TriggerLog, wallMs: number): number | null {
  const span = windowAt(wallMs)
  const used = triggers.count(webhook.id, span)
  if (used < webhook.maxPerHour) return null
  // When the trigger at this index is an hour old, fewer than `maxPerHour` are left in the window.
  return (triggers.timeAt(webhook.id, span, used - webhook.maxPerHour) ?? wallMs) + WEBHOOK_WINDOW_MS
}

const BY_CAP = '(maxPerHour)'

/** Whether a refusal is that of a cap. Such an alert is held back, and its owner hears of it. */
export function isOverCap({ code, message }: Problem): boolean {
  return code === 'RATE_LIMIT_EXCEEDED' && message.includes(BY_CAP)
}

/** The refusal of one more trigger now, or null if the cap for any 60 minutes allows it. */
export function refusalOverCap(webhook: Webhook, triggers: TriggerLog, wallMs: number): Problem | null {
  const resetAt = nextAllowedAt(webhook, triggers, wallMs)
  if (resetAt === null) return null
  const limit = webhook.maxPerHour
  const used = triggers.count(webhook.id, windowAt(wallMs))
  return limitReached(`this webhook takes ${limit} triggers an hour ${BY_CAP}: try again later`, {
    limit,
    remaining: limit - used,
    resetAtMs: resetAt,
    retryAfterMs: resetAt - wallMs,
  })
}
