import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { CloseReason, PhoneOrder } from '#contracts/phone-orders.ts'
import type { Phone } from '#domain/device/phone.ts'
import type { World } from '#domain/world.ts'

/** Sends an order on every connection of the phone's session. Without a session it does nothing. */
export function sendOrder(world: World, phone: Phone, order: PhoneOrder): void {
  for (const connection of phone.session?.connections ?? []) sendOrderOn(world, connection, order)
}

/** Sends an order on one connection, after the commit. */
export function sendOrderOn(
  world: Pick<World, 'effects'>,
  connection: PhoneConnection,
  order: PhoneOrder,
): void {
  world.effects.push({ kind: 'order', connection, order })
}

export function closeConnection(
  world: World,
  connection: PhoneConnection,
  ending: { readonly why: CloseReason; readonly reason: string },
): void {
  sendOrderOn(world, connection, { type: 'close', ...ending })
}
