import { MESSAGES_OPEN_MAX } from '#contracts/bounds.ts'
import type { AcceptedMessage, CommandInput } from '#contracts/commands.ts'
import { planOf } from '#domain/account/plan-of.ts'
import { acceptMessage, checkMessage, tooManyOpen } from '#domain/sending/accept-message.ts'
import type { World } from '#domain/world.ts'

/**
 * Accepts several texts of one account, or none: all checks run before the first is written.
 *
 * @throws Problem as `acceptMessage`
 */
export function acceptMessages(
  world: World,
  { messages }: CommandInput<'message.accept-all'>,
): readonly AcceptedMessage[] {
  const [first] = messages
  if (first === undefined) return []
  const { accountId, test } = first
  for (const message of messages) checkMessage(world, message)
  const count = messages.length
  if (world.fleet.messages.size + count > MESSAGES_OPEN_MAX) throw tooManyOpen()
  if (!test) {
    const limit = planOf(world, accountId).smsPerDay
    world.usage.check(world.tx, accountId, { kind: 'sms', count, limit, wallMs: world.now.wallMs })
  }
  return messages.map(message => acceptMessage(world, message))
}
