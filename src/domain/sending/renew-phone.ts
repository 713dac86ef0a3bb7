import { notFound } from '#domain/problem.ts'
import { endMessage } from '#domain/sending/end-message.ts'
import { offerToAll } from '#domain/sending/offer-messages.ts'
import { endPhoneSession } from '#domain/sending/open-phone-session.ts'
import { closeConnection } from '#domain/sending/send-order.ts'
import { clearFinding } from '#domain/sending/set-trouble.ts'
import type { World } from '#domain/world.ts'

/**
 * Registers a phone again for its device. Its app may be newly installed and may have forgotten which texts
 * it sent. If it got the same messages again, it could send them twice, so they end as OUTCOME_UNKNOWN. A
 * late report can still correct the outcome. Only this answer contains the new token; the old one is no
 * longer valid.
 *
 * @throws Problem NOT_FOUND
 */
export function renewPhone(
  world: World,
  { deviceId }: { readonly deviceId: string },
): { readonly token: string } {
  const phone = world.fleet.phones.get(deviceId)
  if (phone === undefined) throw notFound('device')
  const { session } = phone
  if (session !== null) {
    endPhoneSession(world, phone)
    for (const connection of session.connections)
      closeConnection(world, connection, { why: 'superseded', reason: 'this device registered again' })
  }
  clearFinding(world, phone, 'silent')
  for (const { message } of [...phone.flights.values()]) endMessage(world, message, 'OUTCOME_UNKNOWN')
  const token = world.source.secret('dvt_')
  world.devices.renewToken(world.tx, deviceId, world.source.hash(token))
  offerToAll(world, phone.device.accountId)
  return { token }
}
