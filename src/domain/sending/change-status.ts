import { applyChange, type StatusChange } from '#domain/message/lifecycle.ts'
import type { Message } from '#domain/message/message.ts'
import { logFailure, writeStatusEvent } from '#domain/notification/notification-events.ts'
import { noteDrillText } from '#domain/sending/note-drill-text.ts'
import { noteFailedText } from '#domain/sending/wake-incidents.ts'
import { closeCodeMessage } from '#domain/two-factor/close-code.ts'
import type { World } from '#domain/world.ts'

/** Other fields of the message that change together with its status. */
export type StatusFields = Partial<Pick<Message, 'deviceId' | 'attempt' | 'notBefore'>>

/** Changes a message's status: row, timeline and event. No other code changes a status. */
export function changeStatus(
  world: World,
  message: Message,
  change: StatusChange & { readonly fields?: StatusFields },
): Message {
  const next = { ...applyChange(message, change, world.now.wallMs), ...change.fields }
  world.messages.save(world.tx, next)
  world.dayCounts.change(message, next)
  if (next.kind === 'drill') {
    noteDrillText(world, next)
    return next
  }
  if (message.status === 'sending') countForPhone(world, next)
  writeStatusEvent(world, next)
  if (next.status === 'failed') {
    logFailure(world, next)
    if (next.kind === 'webhook') noteFailedText(world, next)
  }
  const isOver = next.status !== 'queued' && next.status !== 'sending'
  if (next.kind === '2fa' && isOver) closeCodeMessage(world, next)
  return next
}

/** Counts the end of an attempt for the phone's half-hour. A delivery report comes after the end. */
function countForPhone({ fleet }: World, { deviceId, status }: Message): void {
  const tally = fleet.phones.get(deviceId ?? '')?.tally
  if (tally === undefined) return
  if (status === 'sent' || status === 'delivered') tally.sent += 1
  else if (status !== 'sending') tally.failed += 1
}
