import { OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { SyncFrame } from '#contracts/device-frames.ts'
import type { Phone, Session } from '#domain/device/phone.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { offerFreed, offerMessages } from '#domain/sending/offer-messages.ts'
import { recordReport, requeue } from '#domain/sending/record-report.ts'
import type { World } from '#domain/world.ts'

/**
 * The phone's journal, once at the start of a session. Here, and only here, `accepted` is proof that a
 * message which was told `go` did not start: the session is new, so no `go` can be on its way. A second
 * `sync` of the same session could have crossed one and proves nothing.
 */
export function syncJournal(world: World, phone: Phone, frame: SyncFrame): void {
  const { session } = phone
  if (session === null || session.synced) return
  const { connection } = session
  const freed: OpenMessage[] = []
  for (const entry of frame.messages) {
    const { messageId, attempt, state } = entry
    if (state === 'accepted') {
      const flight = phone.flights.get(messageId)
      const open = flight?.message
      if (open?.place === 'sending' && flight?.attempt === attempt && requeue(world, phone, messageId))
        freed.push(open)
      world.effects.push({ kind: 'frame', connection, frame: { type: 'no', messageId, attempt } })
      continue
    }
    recordReport(world, phone, entry)
    world.effects.push({ kind: 'frame', connection, frame: { type: 'ack', messageId, attempt, state } })
  }
  if (!frame.more) finish(world, phone, session)
  for (const open of freed) offerFreed(world, open)
}

/** Everything is known of the phone's journal: it may be offered work. */
function finish(world: World, phone: Phone, session: Session): void {
  session.synced = true
  if (!world.fleet.unsettled.has(session)) world.fleet.unsettled.set(session, 'synced')
  for (const { message } of phone.flights.values())
    if (message.place === 'sending')
      world.deadlines.add(world.now.monoMs + OUTCOME_UNKNOWN_MS, 'unknown', message.id)
  world.effects.push({ kind: 'frame', connection: session.connection, frame: { type: 'synced' } })
  offerMessages(world, phone)
}
