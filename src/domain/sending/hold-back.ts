import type { RefusedAlerts } from '#contracts/seen-trigger.ts'
import { say } from '#contracts/words.ts'
import { clockTime } from '#domain/clock-words.ts'
import { sendOwnText } from '#domain/sending/send-alert.ts'
import {
  afterStorm,
  type GatheredAlert,
  NO_STORM,
  noteAlert,
  noteTold,
  type Storm,
} from '#domain/webhook/storm.ts'
import { nextAllowedAt, windowAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/**
 * Counts alerts that the cap refused, until a text can report them. Retries of one request count once. The
 * first refusal of an hour is told at once, beside the cap.
 */
export function holdBack(world: World, webhook: Webhook, { facts, ...alerts }: RefusedAlerts): void {
  if (!webhook.summarizeOverflow) return
  const { webhooks, tx, now, deadlines } = world
  const { held } = webhook
  const isRepeat = held !== null && alerts.count === 1 && isSame(held.requestHash, alerts.requestHash)
  const count = isRepeat ? 0 : alerts.count
  webhooks.holdBack(tx, webhook.id, { ...alerts, count })
  const which = { id: webhook.id, kind: 'held' } as const
  const known = heldStorm(world, webhook) ?? NO_STORM
  const storm = facts.reduce((all, one) => noteAlert(all, { ...alerts, ...one }, now.wallMs), known)
  const isAlarm = facts.some(({ state }) => state !== 'recovered')
  webhooks.saveStorm(tx, which, isAlarm ? { ...storm, isAlarm } : storm)
  const at = nextAllowedAt(webhook, webhooks.triggers, now.wallMs) ?? now.wallMs
  // Of ends the people of a policy hear by its incidents.
  if (webhook.policyId === null || isAlarm) giveNotice(world, webhook, at)
  if (held !== null) return
  deadlines.add(now.monoMs + (at - now.wallMs), 'overflow', webhook.id)
}

/** Notes an alert that was told at once: if the cap refuses later ones, a summary says what is still down. */
export function noteForSummary(world: World, webhook: Webhook, alert: GatheredAlert): void {
  // Without the ends of problems, nobody knows what is still down.
  if (!webhook.summarizeOverflow || !webhook.sendRecovered) return
  const known = heldStorm(world, webhook)
  if (known === undefined && alert.state !== 'firing') return
  const storm = noteTold(known ?? NO_STORM, alert, world.now.wallMs)
  world.webhooks.saveStorm(world.tx, { id: webhook.id, kind: 'held' }, storm)
}

/** What is to be told of the alerts that were refused, and what was down before them. */
function heldStorm({ webhooks, now }: World, { id, held }: Webhook): Storm | undefined {
  const known = webhooks.storm(id, 'held')
  return known === undefined || held !== null ? known : afterStorm(known, now.wallMs)
}

function giveNotice(world: World, webhook: Webhook, until: number): void {
  const { webhooks, tx, now, settings } = world
  const { id, name, maxPerHour, noticedAt } = webhook
  if (noticedAt !== null && noticedAt > windowAt(now.wallMs).since && noticedAt <= now.wallMs) return
  const timeZone = settings.timeZone()
  const zone = timeZone === 'UTC' ? ' (UTC)' : ''
  const text = say(
    settings.language,
    '{name}: more than {max} alerts in an hour; further ones are held back until {time} ' +
      'or told together then{zone}',
    { name, max: maxPerHour, time: clockTime(until, timeZone), zone },
  )
  if (sendOwnText(world, webhook, { text, counts: 'nothing', about: 'roost:overflow' }))
    webhooks.noteNotice(tx, id, now.wallMs)
}

function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, index) => byte === other[index])
}
