import type { CommandOutput } from '#contracts/commands.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { RESTORED, skipOpenDrills } from '#domain/sending/run-drills.ts'
import { closeCode } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/**
 * Handles a database that went back to an older state (a damaged log, a restored backup). Its open messages
 * may have been sent since. So each ends as OUTCOME_UNKNOWN, is not sent again, and its owner is notified. A
 * late report can still correct the outcome. Those of the sandbox stay, and those that are planned for a time
 * still to come, which nobody can have sent. Every open code expires: it may have been used since, and the
 * database may have lost wrong tries that count against it.
 */
export function quarantine(world: World): CommandOutput<'gateway.quarantine'> {
  skipOpenDrills(world, RESTORED)
  let messages = 0
  for (const open of [...world.fleet.messages.values()]) {
    if (open.stage === 'scheduled') continue
    if (world.messages.find(world.tx, open.id)?.test === true) continue
    endMessage(world, open, 'OUTCOME_UNKNOWN')
    messages += 1
  }
  for (const messageId of world.openCodes.messageIds) closeCode(world, messageId, 'expired')
  return { messages, at: world.now.wallMs }
}
