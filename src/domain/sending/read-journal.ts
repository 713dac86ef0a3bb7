import { OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { PhoneNews } from '#contracts/phone-orders.ts'
import type { Phone, PhoneSession } from '#domain/device/phone.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { offerMessages, offerWaiting } from '#domain/sending/offer-messages.ts'
import { noteConnected } from '#domain/sending/open-phone-session.ts'
import { recordReport, requeue } from '#domain/sending/record-report.ts'
import { sendOrder } from '#domain/sending/send-order.ts'
import { clearFinding } from '#domain/sending/set-trouble.ts'
import { isAwaited, noteReport } from '#domain/sending/watch-reports.ts'
import type { World } from '#domain/world.ts'

/**
 * Reads the phone's journal, once at the start of a session. In this journal, `accepted` proves that the
 * phone did not start a message for which it got `go`, because no `go` can be on its way in a new session. A
 * second journal in the same session proves nothing: a `go` may arrive right after the phone has written it.
 */
export function readJournal(
  world: World,
  phone: Phone,
  news: Extract<PhoneNews, { readonly type: 'journal' }>,
): void {
  const { session } = phone
  if (session === null || session.synced) return
  if (news.entries.length > 0 || !isAwaited(phone)) noteReport(world, phone)
  const requeued: OpenMessage[] = []
  for (const entry of news.entries) {
    const { messageId, attempt, state } = entry
    if (state === 'accepted') {
      const flight = phone.flights.get(messageId)
      const open = flight?.message
      if (open?.stage === 'sending' && flight?.attempt === attempt && requeue(world, phone, messageId))
        requeued.push(open)
      sendOrder(world, phone, { type: 'no', messageId, attempt })
      continue
    }
    recordReport(world, phone, entry)
    sendOrder(world, phone, { type: 'ack', messageId, attempt, state })
  }
  if (!news.more) finishJournal(world, phone, session)
  for (const open of requeued) offerWaiting(world, open)
}

/** Ends the reading of the journal: from now on the phone may get offers. */
function finishJournal(world: World, phone: Phone, session: PhoneSession): void {
  session.synced = true
  noteConnected(world, phone)
  clearFinding(world, phone, 'refused')
  if (!world.fleet.uncommittedSessions.has(session)) world.fleet.uncommittedSessions.set(session, 'synced')
  for (const { message } of phone.flights.values())
    if (message.stage === 'sending')
      world.deadlines.add(world.now.monoMs + OUTCOME_UNKNOWN_MS, 'unknown', message.id)
  sendOrder(world, phone, { type: 'synced' })
  offerMessages(world, phone)
}
