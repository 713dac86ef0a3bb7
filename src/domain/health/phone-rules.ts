import { OUTCOME_LISTED_MS } from '#contracts/bounds.ts'
import { type Sentence, sentence } from '#contracts/words.ts'
import type { Broken } from '#domain/drill/drill.ts'
import type { AccountFacts, FoundByRule, PhoneFacts, Rule } from '#domain/health/facts.ts'
import { spanSentence } from '#domain/words.ts'

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

const REAL_FIX = sentence(
  'Switch a phone on, check its Wi-Fi and charger, and see that the agent runs on it.',
)
const PRETEND_FIX = sentence(
  'It is a pretend phone, and its program does not run. Its page in the console shows the command that ' +
    'starts it again. Or pair a real phone.',
)

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
  const subject = phones.length === 1 ? (phones[0]?.id ?? null) : null
  const found = { code: 'NO_DEVICE_ONLINE', severity: 'critical', subject } as const
  const { count } = facts.waiting
  if (troubled !== undefined) return [{ ...found, since: null, ...troubleWords({ ...troubled, count }) }]
  return {
    ...found,
    since: Math.max(...phones.map(({ lastSeenAt }) => lastSeenAt)),
    message: phones.length === 1 ? awayWords(phones[0]?.name ?? '', count) : noneWords(count),
    fix: phones.every(({ isPretend }) => isPretend) ? PRETEND_FIX : REAL_FIX,
  }
}

function troubleWords({ name, trouble, count }: Pick<PhoneFacts, 'name' | 'trouble'> & { count: number }) {
  const values = { name, trouble: trouble ?? '', count }
  const message =
    count === 0
      ? sentence('No phone can send: {name}: {trouble}', values)
      : sentence(
          'No phone can send: {name}: {trouble}; 1 text waits|' +
            'No phone can send: {name}: {trouble}; {count} texts wait',
          values,
        )
  return { message, fix: sentence('Fix that on {name}, or connect another phone.', { name }) }
}

function awayWords(name: string, count: number): Sentence {
  return count === 0
    ? sentence('{name} is offline, so texts wait until a phone is back, or until they expire', { name })
    : sentence(
        '{name} is offline, so texts wait until a phone is back, or until they expire; 1 text waits|' +
          '{name} is offline, so texts wait until a phone is back, or until they expire; {count} texts wait',
        { name, count },
      )
}

function noneWords(count: number): Sentence {
  return count === 0
    ? sentence('No phone is online, so texts wait until a phone is back, or until they expire')
    : sentence(
        'No phone is online, so texts wait until a phone is back, or until they expire; 1 text waits|' +
          'No phone is online, so texts wait until a phone is back, or until they expire; {count} texts wait',
        { count },
      )
}

const deviceOffline: Rule<AccountFacts> = facts => {
  // Already reported once for all phones.
  if (isCutOff(facts)) return []
  return unpausedPhones(facts)
    .filter(({ isOnline, isFound }) => !isOnline && !isFound)
    .filter(({ lastSeenAt }) => facts.now - lastSeenAt >= DEVICE_OFFLINE_MS_MIN)
    .map(({ id, name, lastSeenAt, battery, isPretend }) => ({
      code: 'DEVICE_OFFLINE',
      since: lastSeenAt,
      subject: id,
      message:
        battery === null
          ? sentence('{name} is offline', { name })
          : sentence('{name} is offline; its battery was at {percent} %', {
              name,
              percent: Math.round(battery),
            }),
      fix: isPretend
        ? sentence('{fix} Or remove {name}.', { fix: PRETEND_FIX, name })
        : sentence('Check power, Wi-Fi and the agent of {name}; pause it if it is meant to be off.', {
            name,
          }),
    }))
}

const groupCannotSend: Rule<AccountFacts> = facts => {
  // Already reported once for all phones.
  if (isCutOff(facts)) return []
  return facts.downGroups
    .filter(({ since }) => facts.now - since >= DEVICE_OFFLINE_MS_MIN)
    .map(({ id, name, since, isAlone }) => ({
      code: 'GROUP_CANNOT_SEND',
      severity: isAlone ? 'critical' : 'warning',
      since,
      subject: id,
      message: isAlone
        ? sentence('No phone of the group {name} can send, so its texts wait', { name })
        : sentence('No phone of the group {name} can send: other phones send its texts', { name }),
      fix: sentence('Connect a phone of {name} again, or add another one to it.', { name }),
    }))
}

const batteryLow: Rule<AccountFacts> = facts =>
  facts.phones.flatMap(({ id, name, isOnline, battery, charging }): FoundByRule | FoundByRule[] => {
    if (!isOnline || battery === null || charging === true || battery > BATTERY_LOW_PERCENT) return []
    const severity = battery <= BATTERY_EMPTY_PERCENT ? 'critical' : 'warning'
    const message = sentence('The battery of {name} is at {percent} % and does not charge', {
      name,
      percent: Math.round(battery),
    })
    const fix = sentence('Plug {name} in, and check its charger and cable.', { name })
    return [{ code: 'BATTERY_LOW', severity, since: null, subject: id, message, fix }]
  })

const queueStalled: Rule<AccountFacts> = facts => {
  const { now, waiting } = facts
  if (waiting.oldestAt === null || isCutOff(facts)) return []
  const found = { code: 'QUEUE_STALLED', severity: 'warning', subject: null } as const
  const { count } = waiting
  if (now - waiting.oldestAt >= QUEUE_WAIT_MS_MAX)
    return {
      ...found,
      since: waiting.oldestAt,
      message: sentence('1 text waits, the oldest for {span}|{count} texts wait, the oldest for {span}', {
        count,
        span: spanSentence(now - waiting.oldestAt),
      }),
      fix: sentence('See whether phones are paused or slow: raise the pace of one, or pair another phone.'),
    }
  const slowest = unpausedPhones(facts).reduce((most, phone) => Math.max(most, phone.expectedWaitMs), 0)
  if (slowest < QUEUE_WAIT_MS_MAX) return []
  return {
    ...found,
    since: null,
    message: sentence(
      '1 text waits; it leaves in about {span}|{count} texts wait; the last of them leaves in about {span}',
      { count, span: spanSentence(slowest) },
    ),
    fix: sentence('Send less at once, raise the pace of a phone, or pair another one.'),
  }
}

const messagesFailing: Rule<AccountFacts> = facts =>
  facts.phones.flatMap((phone): FoundByRule | FoundByRule[] => {
    const { id, name, trouble, isOnline, isFound, overdueCount, outcomes } = phone
    const found = { code: 'MESSAGES_FAILING', severity: 'warning', subject: id } as const
    if ((isOnline || isFound) && trouble !== null && !isCutOff(facts))
      return {
        ...found,
        since: null,
        message: sentence('{name} cannot send: {trouble}', { name, trouble }),
        fix: sentence('Fix it on {name}; other phones send meanwhile.', { name }),
      }
    if (overdueCount >= OVERDUE_PER_PHONE)
      return {
        ...found,
        since: null,
        message: sentence('{name} does not report whether texts are sent: it took {count} of them', {
          name,
          count: overdueCount,
        }),
        fix: sentence('Look at {name}: its sent texts, its SIM, and updates of the app that sends.', {
          name,
        }),
      }
    const failed = outcomes.filter(({ hasFailed, at }) => hasFailed && facts.now - at < OUTCOME_LISTED_MS)
    if (failed.length < FAILURES_PER_PHONE) return []
    return {
      ...found,
      since: Math.min(...failed.map(({ at }) => at)),
      message: sentence('{failed} of the last {all} texts of {name} failed', {
        failed: failed.length,
        all: outcomes.length,
        name,
      }),
      fix: sentence('Look at the SIM of {name}: its credit, its network, and whether it may send texts.', {
        name,
      }),
    }
  })

const BROKEN_WORDS: Readonly<Record<Broken['half'], (names: { name: string; other: string }) => Sentence>> = {
  sending: ({ name }) => sentence('{name} does not send: its drill failed twice', { name }),
  receiving: names => sentence('{other} does not receive: the drill of {name} failed twice', names),
  either: names =>
    sentence('{name} sends or {other} receives: one of them does not; the drill failed twice', names),
  own: ({ name }) =>
    sentence(
      'Texts of {name} to its own number left and did not come: many networks drop such texts, so a second ' +
        'phone tells more',
      { name },
    ),
}
const CHAIN_FIX = sentence(
  'Look at the credit, the network and the SIM of both, whether the memory for texts is full, and whether ' +
    'another app takes the texts. Then prove it on the page of the phone.',
)

const chainBroken: Rule<AccountFacts> = facts =>
  unpausedPhones(facts).flatMap(({ id, name, broken }): FoundByRule | FoundByRule[] => {
    if (broken === null) return []
    const { half, since, other } = broken
    // Where another phone does not receive, this one was just proven to send.
    const canTell = unpausedPhones(facts).some(
      one =>
        (one.id !== id || half === 'receiving') &&
        one.isProven &&
        one.broken?.half !== 'sending' &&
        canSend(one),
    )
    const severity = half === 'own' || canTell ? 'warning' : 'critical'
    const message = BROKEN_WORDS[half]({ name, other })
    return { code: 'CHAIN_BROKEN', severity, since, subject: id, message, fix: CHAIN_FIX }
  })

/** Rules about phones and their queues. */
export const PHONE_RULES: readonly Rule<AccountFacts>[] = [
  noDeviceOnline,
  deviceOffline,
  groupCannotSend,
  batteryLow,
  queueStalled,
  messagesFailing,
  chainBroken,
]
