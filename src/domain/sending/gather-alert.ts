import type { AlertFacts } from '#contracts/alert-reading.ts'
import {
  beginStorm,
  currentStorm,
  type GatheredAlert,
  isBurst,
  isRepeat,
  isUrgent,
  noteAlert,
  noteQuietEnd,
  noteTold,
  placesForStorm,
} from '#domain/webhook/storm.ts'
import { repeatSpanAt, windowAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

interface Incoming {
  readonly alert: GatheredAlert
  /** Whether the day's quota has room for a text. */
  readonly hasQuota: boolean
}

/**
 * Notes an alert of a webhook that gathers. Returns how it is told: at once, later with others, or not again,
 * because it repeats a gathered one.
 */
export function gatherAlert(
  world: World,
  webhook: Webhook,
  { alert, hasQuota }: Incoming,
): 'at-once' | 'gathered' | 'repeat' {
  const { webhooks, tx, now, deadlines } = world
  const { wallMs, monoMs } = now
  const which = { id: webhook.id, kind: 'gathered' } as const
  const storm = currentStorm(webhooks.storm(webhook.id, 'gathered'), wallMs)
  if (isRepeat(storm, alert, repeatSpanAt(wallMs).since)) return 'repeat'
  const used = webhooks.triggers.count(webhook.id, windowAt(wallMs))
  const isCalm = storm.nextAt === null && !isBurst(storm, wallMs)
  const hasPlace = hasQuota && used < webhook.maxPerHour - placesForStorm(webhook.maxPerHour)
  if (hasPlace && (isCalm || isUrgent(storm, alert, wallMs))) {
    webhooks.saveStorm(tx, which, noteTold(storm, alert, wallMs))
    return 'at-once'
  }
  const begun = beginStorm(storm, wallMs)
  webhooks.saveStorm(tx, which, noteAlert(begun, alert, wallMs))
  if (begun !== storm) deadlines.add(monoMs + (begun.nextAt ?? 0) - wallMs, 'storm', webhook.id)
  return 'gathered'
}

/** Notes the end of a problem that is not texted, so that no later text says that it is still there. */
export function gatherQuietEnd(
  { webhooks, tx, now }: Pick<World, 'webhooks' | 'tx' | 'now'>,
  { id, gather }: Webhook,
  alert: AlertFacts,
): void {
  if (!gather || alert.state !== 'recovered') return
  const storm = currentStorm(webhooks.storm(id, 'gathered'), now.wallMs)
  const noted = noteQuietEnd(storm, alert)
  if (noted !== storm) webhooks.saveStorm(tx, { id, kind: 'gathered' }, noted)
}
