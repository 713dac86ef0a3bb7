import { ALARM_CLEAR_MS_MIN } from '#contracts/bounds.ts'
import type { HealthCode, HealthProblem } from '#contracts/health.ts'
import { say } from '#contracts/words.ts'
import { machineOwner } from '#domain/account/machine-owner.ts'
import { type Alarm, alarmKey } from '#domain/alarm/alarm-store.ts'
import { sendAlarmText } from '#domain/alarm/send-alarm-text.ts'
import { writeEvent } from '#domain/notification/write-event.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * The time until an alarm clears doubles up to this, so that a problem that comes and goes causes at most one
 * text an hour.
 */
const ALARM_CLEAR_MS_MAX = 3_600_000
/** An alarm that was raised again within this time counts as returned. */
const ALARM_RETURN_MS = 86_400_000

/**
 * The worse problem that a problem may turn into. The rules then find only the worse one, but the milder one
 * is not over.
 */
const WORSE: Partial<Record<HealthCode, HealthCode>> = {
  DEVICE_OFFLINE: 'NO_DEVICE_ONLINE',
  BATTERY_LOW: 'NO_DEVICE_ONLINE',
  MESSAGES_FAILING: 'NO_DEVICE_ONLINE',
  QUEUE_STALLED: 'NO_DEVICE_ONLINE',
  NOTIFICATIONS_FAILING: 'NOTIFICATIONS_DISABLED',
  DISK_NEARLY_FULL: 'DISK_FULL',
}
/** Problems of which a phone that is away says nothing: they are not over until it is back. */
const UNKNOWN_WHILE_AWAY: ReadonlySet<HealthCode> = new Set(['BATTERY_LOW', 'MESSAGES_FAILING'])

/**
 * Raises an alarm for each new problem, and clears it once the problem stays away. Each alarm is reported
 * once when it begins and once when it is over, even across a restart. Call this after the rules have
 * checked `owners` (account ids, or `GATEWAY`).
 */
export function watchAlarms(world: World, owners: readonly string[]): void {
  if (world.stopping || world.readOnly) return
  for (const owner of owners) watchOwner(world, owner)
  sendAlarmText(world)
}

function watchOwner(world: World, owner: string): void {
  const { alarms, tx, health, now } = world
  const problems = new Map(health.problemsOf(owner).map(problem => [alarmKey(problem), problem]))
  for (const alarm of alarms.list(tx, owner)) {
    const key = alarmKey(alarm)
    const problem = problems.get(key)
    problems.delete(key)
    if (alarm.clearedAt !== null) {
      if (problem !== undefined) raise(world, owner, { problem, before: alarm })
      else if (isOld(alarm, now.wallMs)) alarms.remove(tx, alarm)
      continue
    }
    const goneKey = `${owner} ${key}`
    if (problem !== undefined || mayLast(world, alarm)) health.goneSince.delete(goneKey)
    else clearLater(world, alarm, goneKey)
  }
  for (const problem of problems.values()) raise(world, owner, { problem, before: null })
}

/** Whether a problem that is not found may still be there: it became worse, or nothing is known of it. */
function mayLast({ health, fleet, now, settings }: World, { accountId, code, subject }: Alarm): boolean {
  const phone = fleet.phones.get(subject ?? '')
  const isAway = phone !== undefined && !phone.isConnected(now.monoMs, settings.offlineAfterMs)
  if (isAway && UNKNOWN_WHILE_AWAY.has(code)) return true
  const hasSubject = code === 'NOTIFICATIONS_FAILING'
  return health
    .problemsOf(accountId)
    .some(worse => worse.code === WORSE[code] && (!hasSubject || worse.subject === subject))
}

interface Raised {
  readonly problem: HealthProblem
  /** An earlier alarm about the same problem within a day. */
  readonly before: Alarm | null
}

function raise(world: World, accountId: string, { problem, before }: Raised): void {
  const { code, subject, severity, message, words } = problem
  const alarm: Alarm = {
    accountId,
    code,
    subject,
    severity,
    message,
    said: say(world.settings.language, words.message),
    since: Date.parse(problem.since),
    raisedAt: world.now.wallMs,
    clearedAt: null,
    returns: before === null ? 0 : before.returns + 1,
    reported: isForOwner(world, accountId, code) ? 'nothing' : 'cleared',
  }
  world.alarms.save(world.tx, alarm)
  publishAlarm(world, 'system.alarm', alarm)
}

/** Whether the owner of the gateway gets a text: how much another account sends is that account's affair. */
function isForOwner({ healthRows, tx }: World, accountId: string, code: HealthCode): boolean {
  return code !== 'QUOTA_NEARLY_USED' || accountId === healthRows.accountIds(tx)[0]
}

/** Clears an alarm whose problem is gone, once the problem has stayed away long enough. */
function clearLater(world: World, alarm: Alarm, goneKey: string): void {
  const { health, now } = world
  const goneSince = health.goneSince.get(goneKey) ?? now.monoMs
  health.goneSince.set(goneKey, goneSince)
  if (!health.firstGoneAt.has(goneKey)) health.firstGoneAt.set(goneKey, now.monoMs)
  const goneMs = now.monoMs - goneSince
  if (goneMs < Math.min(ALARM_CLEAR_MS_MIN * 2 ** alarm.returns, ALARM_CLEAR_MS_MAX)) return
  health.goneSince.delete(goneKey)
  health.firstGoneAt.delete(goneKey)
  const cleared = { ...alarm, clearedAt: Math.round(now.wallMs - goneMs) }
  world.alarms.save(world.tx, cleared)
  publishAlarm(world, 'system.recovered', cleared)
}

/** Whether an alarm was reported as over so long ago that its problem would count as new. */
function isOld({ clearedAt, reported }: Alarm, wallMs: number): boolean {
  return reported === 'cleared' && clearedAt !== null && Math.abs(wallMs - clearedAt) >= ALARM_RETURN_MS
}

/** Logs an alarm and writes its event: for its account, or for the machine's if it is about the gateway. */
function publishAlarm(world: World, event: 'system.alarm' | 'system.recovered', alarm: Alarm): void {
  const { code, severity, subject, message, since } = alarm
  const accountId = alarm.accountId === '' ? machineOwner(world) : alarm.accountId
  const data = { code, severity, subject, message, since: instant(since) }
  if (accountId !== null)
    writeEvent(world, {
      accountId,
      subjectId: `alarm ${code} ${subject ?? ''}`,
      ownUrl: null,
      facts: { event, at: world.now.wallMs, data },
    })
  const isOver = event === 'system.recovered'
  world.effects.push({
    kind: 'log',
    level: isOver ? 'info' : 'warn',
    event: isOver ? 'alarm.cleared' : 'alarm.raised',
    fields: { code, severity, subject, message },
  })
}
