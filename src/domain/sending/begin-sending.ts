import { BRAKE_GOES_MAX, BRAKE_WINDOW_MS, OUTCOME_UNKNOWN_MS } from '#contracts/bounds.ts'
import type { BeginFrame } from '#contracts/device-frames.ts'
import type { Phone } from '#domain/device/phone.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { changeStatus } from '#domain/sending/change-status.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { isTooLate, offerMessages } from '#domain/sending/offer-messages.ts'
import type { World } from '#domain/world.ts'

/**
 * A phone asks to begin. `go` is the one word after which a text may be on the air, so it leaves only when it
 * is committed, once an attempt, and only for what this very session was offered and is still to be sent.
 */
export function beginSending(world: World, phone: Phone, frame: BeginFrame): void {
  const { session } = phone
  if (session === null) return
  const { messageId, attempt } = frame
  const answer = (type: 'go' | 'no') =>
    world.effects.push({
      kind: 'frame',
      connection: session.connection,
      frame: { type, messageId, attempt },
    })
  const flight = phone.flights.get(messageId)
  const open = flight?.message
  if (
    world.stopping ||
    open?.place !== 'offered' ||
    flight?.session !== session.id ||
    flight.attempt !== attempt
  )
    return void answer('no')
  const message = world.messages.find(world.tx, messageId)
  if (message?.status !== 'queued') return void answer('no')
  if (isTooLate(world, open)) {
    endMessage(world, open, 'EXPIRED')
    answer('no')
    return offerMessages(world, phone)
  }
  if (isBraked(open, world.now.monoMs)) {
    endMessage(world, open, 'RETRY_BRAKE')
    world.effects.push({ kind: 'alarm', alarm: 'retry brake', messageId })
    answer('no')
    return offerMessages(world, phone)
  }
  changeStatus(world, message, { status: 'sending', beside: { deviceId: phone.id, attempt } })
  open.place = 'sending'
  open.attempt = attempt
  open.goes = [...open.goes, { attempt, at: world.now.monoMs }]
  flight.heardAt = world.now.monoMs
  world.deadlines.add(world.now.monoMs + OUTCOME_UNKNOWN_MS, 'unknown', messageId)
  answer('go')
}

/**
 * Stops a message that phones take and give back: one that sends, and says that it did not, would do so for
 * hours. What an earlier process told does not count: a `go` that died with the gateway is not the phone's
 * doing, and three power cuts must not lose an alert that was never sent.
 */
function isBraked({ goes }: OpenMessage, monoMs: number): boolean {
  return goes.filter(({ at }) => monoMs - at < BRAKE_WINDOW_MS).length >= BRAKE_GOES_MAX
}
