import { OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { Flight, Phone } from '#domain/device/phone.ts'
import type { Message } from '#domain/message/message.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { changeStatus } from '#domain/sending/change-status.ts'
import { countGo } from '#domain/sending/count-segments.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { isTooLate, withdrawOffer } from '#domain/sending/offer-messages.ts'
import { watchReports } from '#domain/sending/watch-reports.ts'
import type { World } from '#domain/world.ts'

/**
 * Safety net in case the delays above fail. When one gateway process would give a message more than
 * `BRAKE_GOES_MAX` `go` in this time, the message fails as RETRY_BRAKE and the account's health shows it.
 */
const BRAKE_WINDOW_MS = 600_000
export const BRAKE_GOES_MAX = 3

/**
 * Records one attempt of the phone: from now on the phone may transmit the text. The caller sends the
 * order; the phone gets it after the commit.
 *
 * @returns the message to send. Null: it must not be sent. A message whose time to live is over, or that was
 * tried too often, has then ended
 */
export function startSending(world: World, phone: Phone, flight: Flight): Message | null {
  const { message: open, attempt } = flight
  const message = world.messages.find(world.tx, open.id)
  if (message?.status !== 'queued') return null
  if (isTooLate(world, open)) {
    endMessage(world, open, 'EXPIRED')
    return null
  }
  const { monoMs } = world.now
  if (isBraked(open, monoMs)) {
    endMessage(world, open, 'RETRY_BRAKE')
    const fields = { messageId: open.id }
    world.effects.push({ kind: 'log', level: 'error', event: 'message.retry_brake', fields })
    return null
  }
  if (!countGo(world, phone, open.segments)) {
    // A cap was lowered, or the clock was set back, since the offer.
    withdrawOffer(world, phone, open)
    world.fleet.accountsToOffer.add(open.accountId)
    return null
  }
  const sending = changeStatus(world, message, {
    status: 'sending',
    fields: { deviceId: phone.id, attempt },
  })
  open.stage = 'sending'
  open.attempt = attempt
  open.goes = [...open.goes, { attempt, at: monoMs }]
  flight.heardAt = monoMs
  world.deadlines.add(monoMs + OUTCOME_UNKNOWN_MS, 'unknown', open.id)
  watchReports(world, phone)
  return sending
}

/**
 * Whether to stop a message that got `go` too often: a phone that sends and then reports a failure would
 * repeat the text for hours. A `go` of an earlier process does not count, because three power cuts must not
 * stop an alert that was never sent.
 */
function isBraked({ goes }: OpenMessage, monoMs: number): boolean {
  return goes.filter(({ at }) => monoMs - at < BRAKE_WINDOW_MS).length >= BRAKE_GOES_MAX
}
