import type { CommandInput } from '#contracts/commands.ts'
import type { AttemptResult } from '#contracts/notification-attempt.ts'
import { wholeText } from '#domain/forward/forward.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { noteUse } from '#domain/on-call/recent-use.ts'
import { Problem } from '#domain/problem.ts'
import { acceptMessage } from '#domain/sending/accept-message.ts'
import type { World } from '#domain/world.ts'

/** The longest text that the API takes, UTF-16 units. */
const LENGTH_MAX = 1600
/** Texts that a person gets in an hour: a text costs money. */
const PER_HOUR_MAX = 30
/** After so long, a person who has had enough texts in an hour is tried again. */
const PAUSE_MS = 600_000

/**
 * Texts a received text to the person of its forward. The result looks like the answer of a service, so that
 * the delivery is tried again by the same schedule. An attempt that was not recorded texts nobody twice.
 */
export function textForward(world: World, { id }: CommandInput<'forward.text'>): AttemptResult {
  const { notifications, forwards, onCall, recentUses, now, tx } = world
  const delivery = notifications.find(tx, id)
  const { accountId = '', forwardId } = delivery ?? {}
  const forward = forwards.find(accountId, forwardId ?? '')
  const person = onCall.person.find(accountId, forward?.target ?? '')
  if (delivery === undefined || person === undefined) return answer(410, 'the forward or its person is gone')
  const subject = { accountId, kind: 'forwarded', subjectId: person.id } as const
  if (recentUses.list(subject, now.wallMs).length >= PER_HOUR_MAX)
    return answer(429, `${person.name} has had enough texts in this hour`, PAUSE_MS)
  noteUse(world, { ...subject, sourceId: null, isUrgent: false })
  const { from, message, receivedAt, sentAt } = JSON.parse(delivery.body).data
  const text = wholeText({ id, from, text: message, receivedAt, sentAt }, LENGTH_MAX)
  const { phoneNumber, country } = person
  try {
    const accepted = acceptMessage(world, {
      ...plainText({ accountId, phoneNumber, country, text, despiteOptOut: true }),
      isToPerson: true,
      // A caller's key has no spaces. A replay counts as a further attempt.
      idempotency: { scope: accountId, key: `forward ${id} ${delivery.attempts}`, bodyHash: '' },
    })
    return answer(200, accepted.answer)
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { retryAfterS } = error.details ?? {}
    const pauseMs = retryAfterS === undefined ? null : retryAfterS * 1000
    return answer(error.code === 'RATE_LIMIT_EXCEEDED' ? 429 : 503, error.message, pauseMs)
  }
}

function answer(status: number, text: string, retryAfterMs: number | null = null): AttemptResult {
  return { outcome: 'response', status, error: null, retryAfterMs, durationMs: 0, answer: text }
}
