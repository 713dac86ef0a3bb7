/** What became of notifications, in words, and how their list is made short. */
import { t } from '#console/language.ts'
import { spokenNumber } from '#console/phone-number.ts'
import { dayWords } from '#console/time-words.ts'
import { eventWords, reasonWords } from '#console/words-of-states.ts'
import type { DeliveryResource } from '#contracts/notification.ts'

/** Why no answer came. */
const ERRORS: Readonly<Record<string, string>> = {
  TIMEOUT: t('it did not answer in time'),
  CONNECT_TIMEOUT: t('it could not be reached in time'),
  CONNECTION_REFUSED: t('nothing listens at its address'),
  UNREACHABLE: t('there is no way to its address'),
  RESET: t('it broke the connection'),
  REFUSED_TARGET: t('Roost may not post to its address'),
  TLS_EXPIRED: t('its certificate is expired'),
  TLS_NAME_MISMATCH: t('its certificate is for another name'),
  TLS_UNTRUSTED: t('its certificate is not trusted'),
}

/** What happened, for each event. `who`: the name or number of a person, or the name of a phone. */
const HAPPENED: Readonly<Record<string, (who: string) => string>> = {
  'sms.sent': who => t('Text to {who} was sent', { who }),
  'sms.delivered': who => t('Text to {who} was delivered', { who }),
  'sms.failed': who => t('Text to {who} failed', { who }),
  'sms.received': who => t('Text from {who} came in', { who }),
  'device.online': who => t('{who} came online', { who }),
  'device.offline': who => t('{who} went offline', { who }),
}

/** Says what a notification is about. `who`: the name of the person with that number, if it is known. */
export function happenedWords(
  { event, about }: Pick<DeliveryResource, 'event' | 'about'>,
  who = about,
): string {
  return (who === null ? undefined : HAPPENED[event]?.(spokenNumber(who))) ?? eventWords(event)
}

/** What an alert or a problem says of itself; null: the notification is about a text or a phone. */
export function toldWords({ event, about }: Pick<DeliveryResource, 'event' | 'about'>): string | null {
  return HAPPENED[event] === undefined ? about : null
}

/** Reads the body of a notification: its lines, and the reason if it says that a text failed. */
export function readBody(body: string): { readonly text: string; readonly reason: string | null } {
  try {
    const read = JSON.parse(body)
    const code: unknown = read?.data?.failure?.code
    return {
      text: JSON.stringify(read, null, 2),
      reason: typeof code === 'string' ? reasonWords(code) : null,
    }
  } catch {
    // What a forward passes on is a text.
    return { text: body, reason: null }
  }
}

/** The last answer in a word or two. Null: there was none yet, or it was as it should be. */
export function shortAnswer({
  lastResponseStatus,
  lastError,
  status,
}: Pick<DeliveryResource, 'lastResponseStatus' | 'lastError' | 'status'>): string | null {
  if (status === 'delivered') return null
  if (lastResponseStatus !== null) return t('answer {code}', { code: String(lastResponseStatus) })
  return lastError === null ? null : (ERRORS[lastError] ?? lastError.toLowerCase().replaceAll('_', ' '))
}

/** What the receiver answered to the last attempt, and what that means. */
export function answerWords({
  lastResponseStatus,
  lastError,
  status,
}: Pick<DeliveryResource, 'lastResponseStatus' | 'lastError' | 'status'>): string {
  if (lastResponseStatus === null) {
    if (lastError === null) return t('not tried yet')
    return (
      ERRORS[lastError] ?? t('no answer ({error})', { error: lastError.toLowerCase().replaceAll('_', ' ') })
    )
  }
  const values = { code: String(lastResponseStatus) }
  if (status === 'delivered') return t('it took it (answer {code})', values)
  if (lastResponseStatus >= 500) return t('it had an error of its own (answer {code})', values)
  if (lastResponseStatus >= 400) return t('it refused it (answer {code})', values)
  return t('it sent Roost elsewhere (answer {code})', values)
}

/** The receiver without the rest of its address. Null: it is not known yet, or the receiver is a forward. */
export function receiverOf({ url }: Pick<DeliveryResource, 'url'>): string | null {
  return url !== null && URL.canParse(url) ? new URL(url).host : null
}

/** Deliveries that are shown as one line. */
export type Run = readonly [DeliveryResource, ...DeliveryResource[]]

export interface DayOfRuns {
  readonly day: string
  readonly runs: readonly Run[]
}

/** So many like each other are worth a line of their own. */
const RUN_MIN = 3

/** Groups deliveries by local day. In it, what was posted without trouble one after the other is one run. */
export function runsByDay(deliveries: readonly DeliveryResource[], now: number): readonly DayOfRuns[] {
  const days: { day: string; runs: [DeliveryResource, ...DeliveryResource[]][] }[] = []
  for (const one of deliveries) {
    const day = dayWords(Date.parse(one.createdAt), now)
    if (days.at(-1)?.day !== day) days.push({ day, runs: [] })
    const runs = days.at(-1)?.runs ?? []
    const run = runs.at(-1)
    if (run !== undefined && isLike(run[0], one)) run.push(one)
    else runs.push([one])
  }
  return days.map(({ day, runs }) => ({
    day,
    runs: runs.flatMap(run => (run.length < RUN_MIN ? run.map((one): Run => [one]) : [run])),
  }))
}

function isLike(one: DeliveryResource, other: DeliveryResource): boolean {
  const isSmooth = ({ status, attempts }: DeliveryResource) => status === 'delivered' && attempts === 1
  const fields = ['event', 'url', 'forwardId'] as const
  return isSmooth(one) && isSmooth(other) && fields.every(field => one[field] === other[field])
}
