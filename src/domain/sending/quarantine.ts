import type { CommandOutput } from '#contracts/commands.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { closeCode } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/**
 * The database went backwards (a damaged log, a restored backup): what it calls open may have been sent.
 * None of it is sent again; each message ends as OUTCOME_UNKNOWN, and its owner is notified, as always. A
 * late report can still correct that. Used codes may be open again and tries uncounted, so every open code
 * expires.
 */
export function quarantine(world: World): CommandOutput<'gateway.quarantine'> {
  let messages = 0
  for (const open of [...world.fleet.messages.values()]) {
    if (world.messages.find(world.tx, open.id)?.test === true) continue
    endMessage(world, open, 'OUTCOME_UNKNOWN')
    messages += 1
  }
  for (const messageId of world.liveCodes.messageIds) closeCode(world, messageId, 'expired')
  return { messages, at: world.now.wallMs }
}
