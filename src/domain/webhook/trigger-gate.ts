/**
 * What lets a trigger through or stops it. A listener asks first, so that a refusal costs no rendering; the
 * writer asks again where the trigger is counted, which is what makes the cap exact.
 */
import { TRIGGER_REPEAT_MS, WEBHOOK_WINDOW_MS } from '#contracts/bounds.ts'
import type { Address } from '#domain/network/address.ts'
import { matchesAny, parseAddressRule } from '#domain/network/address-rules.ts'
import { Problem } from '#domain/problem.ts'
import { instant } from '#domain/time.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { Span, TriggerLog } from '#domain/webhook/webhook-store.ts'

/** The sliding hour. */
export function windowAt(wallMs: number): Span {
  return { since: wallMs - WEBHOOK_WINDOW_MS, until: wallMs }
}

/** How far back the same request is a repetition. */
export function repeatSpanAt(wallMs: number): Span {
  return { since: wallMs - TRIGGER_REPEAT_MS, until: wallMs }
}

/** Whether the allowlist lets this address in; an empty one lets everybody in. */
export function isAllowed(webhook: Webhook, address: Address): boolean {
  if (webhook.allowedIps.length === 0) return true
  const rules = webhook.allowedIps.flatMap(text => {
    const parsed = parseAddressRule(text)
    return parsed.ok ? [parsed.rule] : []
  })
  return matchesAny(rules, address)
}

/** The refusal of one more trigger in this hour, or null when there is room for it. */
export function overCap(webhook: Webhook, triggers: TriggerLog, wallMs: number): Problem | null {
  const span = windowAt(wallMs)
  const used = triggers.count(webhook.id, span)
  const limit = webhook.maxPerHour
  if (used < limit) return null
  const oldest = triggers.timeAt(webhook.id, span, used - limit) ?? wallMs
  const resetAt = oldest + WEBHOOK_WINDOW_MS
  return new Problem('RATE_LIMIT_EXCEEDED', `this webhook takes ${limit} triggers an hour`, {
    limit,
    used,
    resetAt: instant(resetAt),
    retryAfterS: (resetAt - wallMs) / 1000,
  })
}
