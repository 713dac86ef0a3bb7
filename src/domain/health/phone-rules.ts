import { OUTCOME_LISTED_MS } from '#contracts/bounds.ts'
import type { AccountFacts, Finding, PhoneFacts, Rule } from '#domain/health/facts.ts'
import { count, spanInWords } from '#domain/words.ts'

/** A shorter absence of a phone is not a problem: it may be in a tunnel or restarting. */
export const DEVICE_OFFLINE_MS_MIN = 600_000
/** Battery level at which a problem is a warning, percent … */
const BATTERY_LOW_PERCENT = 20
/** … and at which it is critical. */
const BATTERY_EMPTY_PERCENT = 10
/** A text that waits longer than this in the queue is a problem. */
export const QUEUE_WAIT_MS_MAX = 600_000
/** Of a phone's last texts, at least this many failed: that is a problem. */
const FAILURES_PER_PHONE = 3
/** Texts that a phone took and did not report as sent within a minute; so many are a problem. */
const OVERDUE_PER_PHONE = 3

const REAL_FIX = 'Switch a phone on, check its Wi-Fi and charger, and see that the agent runs on it.'
const PRETEND_FIX =
  'It is a pretend phone, and its program does not run. Its page in the console shows the command that ' +
  'starts it again. Or pair a real phone.'

/** Phones that the owner has not paused. */
function unpausedPhones({ phones }: AccountFacts): PhoneFacts[] {
  return phones.filter(({ isPaused }) => !isPaused)
}

function canSend({ isOnline, trouble }: PhoneFacts): boolean {
  return isOnline && trouble === null
}

/** There are phones, and none of them can send. */
export function isCutOff(facts: AccountFacts): boolean {
  const phones = unpausedPhones(facts)
  return phones.length > 0 && !phones.some(canSend)
}

const noDeviceOnline: Rule<AccountFacts> = facts => {
  if (!isCutOff(facts)) return []
  const phones = unpausedPhones(facts)
  const troubled = phones.find(({ isOnline, isFound }) => isOnline || isFound)
  const { count: waiting } = facts.waiting
  const wait = waiting === 0 ? '' : `; ${count(waiting, 'text waits', 'texts wait')}`
  const subject = phones.length === 1 ? (phones[0]?.id ?? null) : null
  const found = { code: 'NO_DEVICE_ONLINE', severity: 'critical', subject } as const
  if (troubled !== undefined)
    return [
      {
        ...found,
        since: null,
        message: `No phone can send: ${troubled.name}: ${troubled.trouble}${wait}`,
        fix: `Fix that on ${troubled.name}, or connect another phone.`,
      },
    ]
  const message = phones.length === 1 ? `${phones[0]?.name} is offline` : 'No phone is online'
  return [
    {
      ...found,
      since: Math.max(...phones.map(({ lastSeenAt }) => lastSeenAt)),
      message: `${message}, so texts wait until a phone is back, or until they expire${wait}`,
      fix: phones.every(({ isPretend }) => isPretend) ? PRETEND_FIX : REAL_FIX,
    },
  ]
}

const deviceOffline: Rule<AccountFacts> = facts => {
  // Already reported once for all phones.
  if (isCutOff(facts)) return []
  return unpausedPhones(facts)
    .filter(({ isOnline, isFound }) => !isOnline && !isFound)
    .filter(({ lastSeenAt }) => facts.now - lastSeenAt >= DEVICE_OFFLINE_MS_MIN)
    .map(({ id, name, lastSeenAt, battery, isPretend }) => ({
      code: 'DEVICE_OFFLINE',
      severity: 'warning',
      since: lastSeenAt,
      subject: id,
      message: `${name} is offline${battery === null ? '' : `; its battery was at ${Math.round(battery)} %`}`,
      fix: isPretend
        ? `${PRETEND_FIX} Or remove ${name}.`
        : `Check power, Wi-Fi and the agent of ${name}; pause it if it is meant to be off.`,
    }))
}

const batteryLow: Rule<AccountFacts> = facts =>
  facts.phones.flatMap(({ id, name, isOnline, battery, charging }): Finding[] => {
    if (!isOnline || battery === null || charging === true || battery > BATTERY_LOW_PERCENT) return []
    const severity = battery <= BATTERY_EMPTY_PERCENT ? 'critical' : 'warning'
    const message = `The battery of ${name} is at ${Math.round(battery)} % and does not charge`
    const fix = `Plug ${name} in, and check its charger and cable.`
    return [{ code: 'BATTERY_LOW', severity, since: null, subject: id, message, fix }]
  })

const queueStalled: Rule<AccountFacts> = facts => {
  const { now, waiting } = facts
  if (waiting.oldestAt === null || isCutOff(facts)) return []
  const found = { code: 'QUEUE_STALLED', severity: 'warning', subject: null } as const
  const texts = count(waiting.count, 'text waits', 'texts wait')
  if (now - waiting.oldestAt >= QUEUE_WAIT_MS_MAX)
    return [
      {
        ...found,
        since: waiting.oldestAt,
        message: `${texts}, the oldest for ${spanInWords(now - waiting.oldestAt)}`,
        fix: 'See whether phones are paused or slow: raise the pace of one, or pair another phone.',
      },
    ]
  const slowest = unpausedPhones(facts).reduce((most, phone) => Math.max(most, phone.expectedWaitMs), 0)
  if (slowest < QUEUE_WAIT_MS_MAX) return []
  return [
    {
      ...found,
      since: null,
      message: `${texts}; the last of them leaves in about ${spanInWords(slowest)}`,
      fix: 'Send less at once, raise the pace of a phone, or pair another one.',
    },
  ]
}

const messagesFailing: Rule<AccountFacts> = facts =>
  facts.phones.flatMap((phone): Finding[] => {
    const { id, name, trouble, isOnline, isFound, overdueCount, outcomes } = phone
    const found = { code: 'MESSAGES_FAILING', severity: 'warning', subject: id } as const
    if ((isOnline || isFound) && trouble !== null && !isCutOff(facts))
      return [
        {
          ...found,
          since: null,
          message: `${name} cannot send: ${trouble}`,
          fix: `Fix it on ${name}; other phones send meanwhile.`,
        },
      ]
    if (overdueCount >= OVERDUE_PER_PHONE)
      return [
        {
          ...found,
          since: null,
          message: `${name} does not report whether texts are sent: it took ${overdueCount} of them`,
          fix: `Look at ${name}: its sent texts, its SIM, and updates of the app that sends.`,
        },
      ]
    const failed = outcomes.filter(({ hasFailed, at }) => hasFailed && facts.now - at < OUTCOME_LISTED_MS)
    if (failed.length < FAILURES_PER_PHONE) return []
    return [
      {
        ...found,
        since: Math.min(...failed.map(({ at }) => at)),
        message: `${failed.length} of the last ${outcomes.length} texts of ${name} failed`,
        fix: `Look at the SIM of ${name}: its credit, its network, and whether it may send texts.`,
      },
    ]
  })

/** Rules about phones and their queues. */
export const PHONE_RULES: readonly Rule<AccountFacts>[] = [
  noDeviceOnline,
  deviceOffline,
  batteryLow,
  queueStalled,
  messagesFailing,
]
