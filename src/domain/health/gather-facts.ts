import { OUTCOME_LISTED_MS } from '#contracts/bounds.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { segmentsInMonth, segmentsOnDay } from '#domain/device/cap.ts'
import type { Phone } from '#domain/device/phone.ts'
import { isProven, proofOf } from '#domain/drill/drill.ts'
import type { AccountFacts, GatewayFacts, PhoneFacts, Quota } from '#domain/health/facts.ts'
import { onCallFacts } from '#domain/health/gather-on-call.ts'
import { GATEWAY } from '#domain/health/health-memory.ts'
import type { CodeToCheck } from '#domain/health/health-store.ts'
import { dayOf } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/** An alert that a webhook's cap refused counts as a current problem for this long. */
export const OVER_CAP_LISTED_MS = 3_600_000

type Waiting = AccountFacts['waiting']

/** Waiting texts by account. Reads all open messages once, at about 10 ns each. */
export function waitingByAccount({ fleet, now, drills }: World): ReadonlyMap<string, Waiting> {
  // A drill waits for this text; no person does.
  const ofDrills = new Set(drills.open().map(({ messageId }) => messageId))
  const counts = new Map<string, { count: number; oldestMono: number }>()
  for (const { id, accountId, stage, expiresAtMono, ttlMs } of fleet.messages.values()) {
    if ((stage !== 'waiting' && stage !== 'offered') || ofDrills.has(id)) continue
    const acceptedAtMono = expiresAtMono - ttlMs
    const known = counts.get(accountId)
    if (known === undefined) counts.set(accountId, { count: 1, oldestMono: acceptedAtMono })
    else {
      known.count += 1
      known.oldestMono = Math.min(known.oldestMono, acceptedAtMono)
    }
  }
  return new Map(
    Array.from(counts, ([accountId, { count, oldestMono }]) => [
      accountId,
      { count, oldestAt: now.wallMs - (now.monoMs - oldestMono) },
    ]),
  )
}

/** Collects the facts of an account for the rules. */
export function gatherAccountFacts(
  world: World,
  accountId: string,
  waiting: ReadonlyMap<string, Waiting>,
): AccountFacts {
  const { tx, notifications, fleet } = world
  const now = world.now.wallMs
  const outcomes = world.healthRows.outcomes(tx, accountId)
  const textsToCheck = (code: CodeToCheck) =>
    world.healthRows.textsToCheck(tx, { accountId, code, since: now - OUTCOME_LISTED_MS })
  return {
    now,
    phones: Array.from(fleet.phonesOf(accountId), phone => ({
      ...phoneFacts(world, phone),
      outcomes: outcomes.get(phone.id) ?? [],
    })),
    downGroups: fleet
      .groupsOf(accountId)
      .flatMap(({ row: { id, name, downSince, fallback } }) =>
        downSince === null ? [] : [{ id, name, since: downSince, isAlone: fallback === 'none' }],
      ),
    waiting: waiting.get(accountId) ?? { count: 0, oldestAt: null },
    unknown: textsToCheck('OUTCOME_UNKNOWN'),
    braked: textsToCheck('RETRY_BRAKE'),
    plannedExpired: textsToCheck('PLANNED_EXPIRED'),
    overCap: world.healthRows.overCap(tx, accountId, now - OVER_CAP_LISTED_MS),
    quotas: quotasOf(world, accountId),
    mailRefusedSince: world.health.mailRefusedSince(accountId, now),
    onCall: onCallFacts(world, accountId),
    notifications: notifications.setting(tx, accountId) ?? null,
    forwards: world.forwards.list(accountId),
  }
}

function phoneFacts({ now, settings }: World, phone: Phone): Omit<PhoneFacts, 'outcomes'> {
  const { device } = phone
  const { id, name, paused, battery, charging, smsPerDayMax, smsPerMonthMax } = device
  const { offlineAfterMs } = settings
  // A newly paired phone may not have connected yet.
  const silentMs = now.wallMs - phone.lastSeenAt
  const isNew = silentMs >= 0 && silentMs < offlineAfterMs
  return {
    id,
    name,
    battery,
    charging,
    isOnline: isNew || phone.isConnected(now.monoMs, offlineAfterMs),
    lastSeenAt: phone.lastSeenAt,
    isPaused: paused,
    isPretend: phone.isPretend,
    trouble: phone.trouble,
    isFound: phone.finding !== null,
    overdueCount: phone.overdueCount,
    expectedWaitMs: phone.expectedWaitMs(now.monoMs),
    caps: [
      ...capOf('day', segmentsOnDay(device, now.wallMs), smsPerDayMax),
      ...capOf('month', segmentsInMonth(device, now.wallMs), smsPerMonthMax),
    ],
    broken: proofOf(device).broken,
    isProven: isProven(device, now.wallMs),
  }
}

function capOf(span: 'day' | 'month', used: number, max: number | null): PhoneFacts['caps'] {
  return max === null ? [] : [{ span, used, max }]
}

function quotasOf(world: World, accountId: string): Quota[] {
  const { smsPerDay, twoFactorPerDay } = planOf(world, accountId)
  const used = world.usage.usedOn(world.tx, accountId, dayOf(world.now.wallMs))
  return [
    { kind: 'sms', used: used.sms, limit: smsPerDay },
    { kind: 'twoFactor', used: used.twoFactor, limit: twoFactorPerDay },
  ]
}

/** Collects the facts of the gateway for the rules. */
export function gatherGatewayFacts({ tx, now, health, healthRows, clock }: World): GatewayFacts {
  return {
    ...health.machine,
    now: now.wallMs,
    diskFullSince: health.diskFullSince,
    commitMs: health.commitMs,
    lost: healthRows.lastLoss(tx),
    mailRefusedSince: health.mailRefusedSince(GATEWAY, now.wallMs),
    clock: clock.facts(now),
  }
}
