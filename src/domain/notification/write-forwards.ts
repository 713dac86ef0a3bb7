import { type ChoosableText, chooses } from '#domain/forward/chooses.ts'
import { type Forward, timesPassed } from '#domain/forward/forward.ts'
import { maskCodes } from '#domain/forward/mask-codes.ts'
import { describeReceived } from '#domain/inbox/describe-received.ts'
import type { ReceivedText } from '#domain/inbox/inbox-reader.ts'
import type { Delivery } from '#domain/notification/notification-store.ts'
import { addDelivery } from '#domain/notification/write-event.ts'
import type { World } from '#domain/world.ts'

/** After so many times, a text is not texted to people again: a phone may be that of another gateway. */
const PASSED_BY_SMS_MAX = 2
/** No way to a screen is longer. A webhook of another gateway may text us again. */
const PASSED_MAX = 4

/** Whose text it is. */
export interface TextSender {
  /** E.164; null: a name or a short code. */
  readonly number: string | null
  /** Whether it is the number of a phone of this account. */
  readonly isOwn: boolean
}

/** Stores a delivery for each forward that a received text goes to, in the transaction of the text. */
export function writeForwards(
  world: World,
  received: ReceivedText & { readonly accountId: string },
  sender: TextSender,
): void {
  const forwards = world.forwards.list(received.accountId)
  const passed = timesPassed(received.text)
  if (forwards.length === 0 || passed >= PASSED_MAX) return
  const text: ChoosableText = { ...received, number: sender.number }
  for (const forward of forwards) {
    if (!chooses(forward, text, world.settings.defaultCountry)) continue
    if (forward.kind === 'sms' && (passed >= PASSED_BY_SMS_MAX || mayAnswer(world, forwards, sender)))
      continue
    addForwarded(world, forward, received)
  }
}

/**
 * Whether a text may be the answer of a machine to a text that we passed on, so that passing it on would
 * begin a circle: it is from one of our own phones, or from a person who gets received texts.
 */
function mayAnswer({ onCall }: World, forwards: readonly Forward[], { number, isOwn }: TextSender): boolean {
  return (
    isOwn ||
    forwards.some(
      ({ kind, target, accountId }) =>
        kind === 'sms' &&
        number !== null &&
        onCall.person.find(accountId, target ?? '')?.phoneNumber === number,
    )
  )
}

/** Stores a delivery of a text to one forward. */
export function addForwarded(world: World, forward: Forward, received: ReceivedText): Delivery {
  const { id: messageId, ...data } = describeReceived(received)
  const message = forward.codes ? data.message : maskCodes(data.message)
  const { accountId, id: forwardId } = forward
  const at = received.receivedAt
  const facts = { event: 'sms.received', at, data: { ...data, messageId, message } } as const
  return addDelivery(world, { accountId, subjectId: messageId, ownUrl: null, forwardId, facts })
}
