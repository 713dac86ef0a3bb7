import type { MessageToSend } from '#contracts/phone-orders.ts'
import type { Flight, Phone } from '#domain/device/phone.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { chooseNext, contentOf } from '#domain/sending/offer-messages.ts'
import { startSending } from '#domain/sending/start-sending.ts'
import type { World } from '#domain/world.ts'

/**
 * Gives messages to a phone that does not ask before it sends. They are marked `sending` and committed before
 * the answer leaves. The answer may get lost, so the phone gets unreported messages again. The phone
 * remembers message and attempt, and does not send a text twice. No other phone gets these messages.
 *
 * @throws Problem NOT_FOUND; CONFLICT for a phone that asks before it sends
 */
export function handOver(
  world: World,
  { deviceId }: { readonly deviceId: string },
): readonly MessageToSend[] {
  const phone = world.fleet.phones.get(deviceId)
  if (phone === undefined) throw notFound('device')
  if (phone.can.asksFirst)
    throw new Problem('CONFLICT', 'this phone asks before it sends: messages are offered to it')
  phone.heardAtMono = world.now.monoMs
  phone.lastSeenAt = world.now.wallMs
  phone.wokenAtMono = null
  const unanswered = [...phone.flights.values()].filter(flight => isUnanswered(world, flight))
  const again = unanswered.flatMap(flight => {
    const message = world.messages.find(world.tx, flight.message.id)
    if (message === undefined) return []
    const content = contentOf(world, { message, flight })
    return [flight.isCancelled === true ? { ...content, isCancelled: true } : content]
  })
  return [...again, ...handOverNew(world, phone)]
}

/**
 * Whether the phone must get the message again: yes if the phone has reported nothing, because the answer may
 * have got lost. A cancelled message is repeated until the phone reports that it started or ended, because
 * the phone may not know of the cancellation.
 */
function isUnanswered({ now }: World, { message, progress, isCancelled = false }: Flight): boolean {
  if (message.stage !== 'sending' || message.expiresAtMono <= now.monoMs) return false
  return progress === 'unreported' || (isCancelled && progress === 'held')
}

/** Gives the phone its next messages, as many as its slots and its pace allow. */
function handOverNew(world: World, phone: Phone): MessageToSend[] {
  const given: MessageToSend[] = []
  if (world.stopping || phone.isPaused || phone.reportsBusy) return given
  const { monoMs } = world.now
  for (let open = chooseNext(world, phone); open !== undefined; open = chooseNext(world, phone)) {
    world.fleet.unqueue(open)
    open.deviceId = phone.id
    const flight: Flight = {
      message: open,
      attempt: open.attempt + 1,
      session: '',
      offeredAt: monoMs,
      heardAt: monoMs,
      submittedAt: null,
      isOverdue: false,
      progress: 'unreported',
    }
    open.stage = 'offered'
    phone.flights.set(open.id, flight)
    phone.usedAtMono = monoMs
    const message = startSending(world, phone, flight)
    if (message !== null) given.push(contentOf(world, { message, flight }))
  }
  return given
}
