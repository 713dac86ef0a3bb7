import { CLOSE, type PhoneFrame, type ReceivedFrame, type TelemetryFrame } from '#contracts/device-frames.ts'
import type { Connection, Phone } from '#domain/device/phone.ts'
import { tellReceived } from '#domain/notification/tell.ts'
import { beginSending } from '#domain/sending/begin-sending.ts'
import { closeSession } from '#domain/sending/close-session.ts'
import { offerMessages } from '#domain/sending/offer-messages.ts'
import { openSession, sameConnection } from '#domain/sending/open-session.ts'
import { recordReport } from '#domain/sending/record-report.ts'
import { syncJournal } from '#domain/sending/sync-journal.ts'
import type { World } from '#domain/world.ts'

export interface FromPhone {
  readonly deviceId: string
  readonly connection: Connection
  readonly frame: PhoneFrame
}

/** A phone said something. Of a connection that is not its current session, only `report` is taken. */
export function receiveFrame(world: World, from: FromPhone): void {
  const { connection, frame } = from
  const phone = world.fleet.phones.get(from.deviceId)
  if (frame.type === 'hello') {
    if (phone?.session && sameConnection(phone.session.connection, connection))
      return refuseHello(world, from)
    return openSession(world, { ...from, frame })
  }
  if (phone === undefined) return
  const isCurrent = phone.session !== null && sameConnection(phone.session.connection, connection)
  if (isCurrent) {
    phone.heardAtMono = world.now.monoMs
    phone.lastSeenAt = world.now.wallMs
  }
  if (frame.type === 'report') {
    recordReport(world, phone, frame)
    const { messageId, attempt, state } = frame
    world.effects.push({ kind: 'frame', connection, frame: { type: 'ack', messageId, attempt, state } })
    return
  }
  if (!isCurrent) return
  switch (frame.type) {
    case 'sync':
      return syncJournal(world, phone, frame)
    case 'begin':
      return beginSending(world, phone, frame)
    case 'telemetry':
      return recordTelemetry(world, phone, frame)
    case 'received':
      return recordReceived(world, { phone, connection, frame })
  }
}

/**
 * Sessions are told apart by their connection, so one connection has one: else a `go` on its way would belong
 * to both, and `accepted` in the `sync` of the second would prove nothing.
 */
function refuseHello(world: World, from: FromPhone): void {
  const { deviceId, connection } = from
  closeSession(world, { deviceId, connection, silentMs: 0 })
  const reason = 'hello was said before on this connection'
  world.effects.push({ kind: 'close', connection, code: CLOSE.protocolError, reason })
}

/** Phones that answered a ping. */
export function hearPhones(world: World, deviceIds: readonly string[]): void {
  for (const deviceId of deviceIds) {
    const phone = world.fleet.phones.get(deviceId)
    if (phone?.session == null) continue
    phone.heardAtMono = world.now.monoMs
    phone.lastSeenAt = world.now.wallMs
  }
}

function recordTelemetry(world: World, phone: Phone, frame: TelemetryFrame): void {
  phone.device = {
    ...phone.device,
    battery: frame.battery === null ? null : Math.round(frame.battery),
    charging: frame.charging,
    signal: frame.signal === null ? null : Math.round(frame.signal),
    sims: frame.sims ?? phone.device.sims,
    lastSeenAt: world.now.wallMs,
  }
  world.devices.save(world.tx, phone.device)
  if (frame.busy === null || frame.busy === phone.saysBusy) return
  phone.saysBusy = frame.busy
  offerMessages(world, phone)
}

function recordReceived(
  world: World,
  from: { readonly phone: Phone; readonly connection: Connection; readonly frame: ReceivedFrame },
): void {
  const { phone, connection, frame } = from
  const { wallMs } = world.now
  const received = {
    id: world.source.id('rcv_', wallMs),
    deviceId: phone.id,
    accountId: phone.device.accountId,
    phoneMessageId: frame.id,
    from: frame.from,
    text: frame.message,
    simSlot: frame.simSlot,
    receivedAt: wallMs,
  }
  if (world.messages.insertReceived(world.tx, received)) tellReceived(world, received)
  world.effects.push({ kind: 'frame', connection, frame: { type: 'ack', id: frame.id } })
}
