import type { MessageToSend } from '#contracts/phone-orders.ts'
import type { Flight, Phone } from '#domain/device/phone.ts'
import { notFound, Problem } from '#domain/problem.ts'
import { chooseNext, contentOf } from '#domain/sending/offer-messages.ts'
import { startSending } from '#domain/sending/start-sending.ts'
import type { World } from '#domain/world.ts'

/**
 * Hands messages to a phone that does not ask first: chosen, marked `sending` and committed before the answer
 * is sent. The answer may get lost, so unreported messages are handed again, only to this phone: it remembers
 * message and attempt, and does not send it twice.
 *
 * @throws Problem NOT_FOUND; CONFLICT for a phone that asks first
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
  world.fleet.lineUp(phone)
  phone.wokenAtMono = null
  const handed = [...phone.flights.values()].filter(flight => isUnanswered(world, flight))
  const again = handed.flatMap(flight => {
    const message = world.messages.find(world.tx, flight.message.id)
    return message === undefined ? [] : [contentOf(world, { message, flight })]
  })
  return [...again, ...takeNew(world, phone)]
}

/** The phone has reported nothing about it, so it may not have received it. */
function isUnanswered({ now }: World, { message, progress }: Flight): boolean {
  return message.place === 'sending' && progress === 'unheard' && message.expiresAtMono > now.monoMs
}

function takeNew(world: World, phone: Phone): MessageToSend[] {
  const taken: MessageToSend[] = []
  if (world.stopping || phone.isPaused || phone.saysBusy) return taken
  const { monoMs } = world.now
  for (let open = chooseNext(world, phone); open !== undefined; open = chooseNext(world, phone)) {
    world.fleet.unqueue(open)
    open.deviceId = phone.id
    const fresh = { session: '', offeredAt: monoMs, heardAt: monoMs, progress: 'unheard' } as const
    const flight: Flight = { message: open, attempt: open.attempt + 1, ...fresh }
    open.place = 'offered'
    phone.flights.set(open.id, flight)
    phone.usedAtMono = monoMs
    const message = startSending(world, phone, flight)
    if (message !== null) taken.push(contentOf(world, { message, flight }))
  }
  return taken
}
