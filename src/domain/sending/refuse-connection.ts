import { SYNC_MS_MAX } from '#contracts/bounds.ts'
import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { Refusal } from '#contracts/phone-orders.ts'
import type { Phone } from '#domain/device/phone.ts'
import { closePhoneSession } from '#domain/sending/close-phone-session.ts'
import { closeConnection } from '#domain/sending/send-order.ts'
import { setFinding } from '#domain/sending/set-trouble.ts'
import type { World } from '#domain/world.ts'

/** A refused phone connects again at once, so more lines would fill the disk. */
const LOGGED_EVERY_MS = 3_600_000

/** Ends the connection, and the phone's session if it was the last one. */
export function refuseConnection(
  world: World,
  phone: Phone,
  refused: {
    readonly connection: PhoneConnection
    readonly why: Exclude<Refusal['why'], 'too-big'>
    readonly reason: string
  },
): void {
  const { connection, why, reason } = refused
  closePhoneSession(world, { deviceId: phone.id, connection, silentMs: 0 })
  closeConnection(world, connection, { why, reason })
  noteRefusal(world, phone, { why, reason })
}

/** Logs that a connection was refused, and says so as the phone's trouble until the phone is back. */
export function noteRefusal(world: World, phone: Phone, { why, reason }: Refusal): void {
  if (!phone.session?.synced)
    setFinding(world, phone, { kind: 'refused', words: `the gateway refuses its connections: ${reason}` })
  if (world.now.monoMs - phone.refusalLoggedAtMono < LOGGED_EVERY_MS) return
  phone.refusalLoggedAtMono = world.now.monoMs
  const event = why === 'flooding' ? 'device.flooding' : 'device.refused'
  const fields = { deviceId: phone.id, name: phone.device.name, why, reason }
  world.effects.push({ kind: 'log', level: 'warn', event, fields })
}

/** Ends a session whose phone said hello and did not report its journal in time. */
export function endUnsynced(world: World, phone: Phone): void {
  const { session } = phone
  if (session === null || session.synced || world.now.monoMs < session.since + SYNC_MS_MAX) return
  const reason = `no complete sync within ${SYNC_MS_MAX / 1000} s of hello`
  for (const connection of session.connections)
    refuseConnection(world, phone, { connection, why: 'protocol-error', reason })
}
