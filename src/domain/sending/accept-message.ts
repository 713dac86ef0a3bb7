import type { AcceptedMessage, AcceptMessage, CommandInput, CommandOutput } from '#contracts/commands.ts'
import type { AcceptedMessageResource } from '#contracts/message.ts'
import { answerOnce } from '#domain/message/kept-answer.ts'
import { rankOf } from '#domain/message/message.ts'
import { isOptedOut, refuseOptedOut } from '#domain/message/opt-out.ts'
import { Problem } from '#domain/problem.ts'
import { checkRoom, checkText, quotaOf, sendText, type TextToSend } from '#domain/sending/send-text.ts'
import { instant } from '#domain/time.ts'
import type { World } from '#domain/world.ts'

/**
 * Accepts the text of a call. A repeated idempotency key gets the answer to its first call.
 *
 * @throws Problem as `sendText`; IDEMPOTENCY_MISMATCH
 */
export function acceptMessage(world: World, input: AcceptMessage & TextToSend): AcceptedMessage {
  return answerOnce(world, input.idempotency, (): AcceptedMessageResource => {
    const { id: messageId, status, phoneNumber, createdAt, segments, encoding } = sendText(world, input)
    return { messageId, status, phoneNumber, createdAt: instant(createdAt), segments, encoding }
  })
}

/**
 * Accepts several texts of one account, or none: all checks run before the first is written. Numbers that
 * want no more texts are left out. If the call has a `name`, its messages can later be found by that name.
 *
 * @throws Problem as `acceptMessage`; CONFLICT: the caller gave a name that an earlier call already has
 */
export function acceptMessages(
  world: World,
  { messages: asked, name }: CommandInput<'message.accept-all'>,
): CommandOutput<'message.accept-all'> {
  const messages = asked.filter(message => !isOptedOut(world, message))
  const left = asked.filter(message => !messages.includes(message))
  const optedOut = left.map(({ phoneNumber }) => phoneNumber)
  const [first] = messages
  if (first === undefined && left.length > 0) throw refuseOptedOut(optedOut)
  if (first === undefined) return { accepted: [], optedOut }
  const { accountId, test } = first
  const given = typeof name === 'object' ? name.given : null
  if (given !== null && world.messages.isCallNamed(world.tx, { accountId, test, name: given }))
    throw new Problem('CONFLICT', 'a message with the same id already exists: use a new id')
  for (const message of messages) checkText(world, message)
  const count = messages.length
  checkRoom(world, accountId, { count, isUrgent: rankOf(first) < 2 })
  world.usage.check(world.tx, accountId, { ...quotaOf(world, first), count, wallMs: world.now.wallMs })
  const accepted = messages.map(message => acceptMessage(world, message))
  if (name === undefined) return { accepted, optedOut }
  const ids = accepted.map(({ answer }) => (JSON.parse(answer) as AcceptedMessageResource).messageId)
  // A single message can be found by its own id, so its id need not be stored as a name.
  if (given !== null || ids.length > 1)
    world.messages.nameCall(world.tx, { accountId, test, name: given ?? ids[0] ?? '' }, ids)
  return { accepted, optedOut }
}
