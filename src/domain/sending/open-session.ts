import type { PhoneNews, Sim } from '#contracts/phone-orders.ts'
import type { Connection, Phone } from '#domain/device/phone.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { offerMessages, withdrawOffer } from '#domain/sending/offer-messages.ts'
import { announceOnline, setTrouble } from '#domain/sending/set-trouble.ts'
import { closeConnection, tellConnection } from '#domain/sending/tell-phone.ts'
import type { World } from '#domain/world.ts'

export interface Opened {
  readonly deviceId: string
  readonly connection: Connection
  readonly news: Extract<PhoneNews, { readonly type: 'opened' }>
}

/**
 * A phone opened a connection. A phone that asks first gets a new session, which ends its older one: the
 * older offers are void, and the journal that must follow settles messages that got `go`. A phone that may
 * have several connections adds one to its session.
 */
export function openSession(world: World, opened: Opened): void {
  const phone = world.fleet.phones.get(opened.deviceId)
  const { connection } = opened
  if (phone === undefined)
    return closeConnection(world, connection, { why: 'removed', reason: 'this device was removed' })
  if (phone.can.oneConnection && isLate(phone, connection)) {
    const reason = 'a newer connection of this device is there'
    return closeConnection(world, connection, { why: 'superseded', reason })
  }
  phone.newestConnection = connection
  const sessionId = join(world, phone, connection)
  welcome(world, phone, { opened, sessionId })
  if (phone.session?.synced) offerMessages(world, phone)
}

/** Adds the connection to the phone's session; a new session unless it may have several connections. */
function join(world: World, phone: Phone, connection: Connection): string {
  const older = phone.session
  if (older !== null && !phone.can.oneConnection) {
    older.connections = [...older.connections, connection]
    return older.id
  }
  if (older !== null) {
    endSession(world, phone)
    const reason = 'another connection of this device took over'
    for (const one of older.connections)
      if (!sameConnection(one, connection)) closeConnection(world, one, { why: 'superseded', reason })
  }
  const { wallMs, monoMs } = world.now
  const id = world.source.id('ses_', wallMs)
  phone.session = { id, connections: [connection], synced: !phone.can.asksFirst, since: monoMs }
  world.fleet.unsettled.set(phone.session, 'opened')
  phone.saysBusy = false
  return id
}

function welcome(
  world: World,
  phone: Phone,
  { opened, sessionId }: { readonly opened: Opened; readonly sessionId: string },
): void {
  const { connection, news } = opened
  const { wallMs, monoMs } = world.now
  phone.driver = news.driver ?? null
  phone.receiveTrouble = news.receiveTrouble ?? null
  phone.heardAtMono = monoMs
  phone.lastSeenAt = wallMs
  recordSelf(world, phone, news)
  setTrouble(world, phone, news.trouble ?? null)
  announceOnline(world, phone)
  const pingEverySeconds = Math.max(1, Math.floor(world.settings.offlineAfterMs / 3000))
  tellConnection(world, connection, { type: 'welcome', session: sessionId, at: wallMs, pingEverySeconds })
}

/** Keeps what the phone says about itself; what it does not know stays as it was. */
export function recordSelf(world: World, phone: Phone, news: Opened['news']): void {
  const { device } = phone
  phone.device = {
    ...device,
    platform: news.platform ?? device.platform,
    appVersion: news.appVersion ?? device.appVersion,
    sims: news.sims.length > 0 ? news.sims.map(sim => completeSim(sim, device.sims)) : device.sims,
    lastSeenAt: phone.lastSeenAt,
  }
  world.devices.save(world.tx, phone.device)
  world.fleet.lineUp(phone)
}

/** A SIM of which the phone tells the slot alone is taken for the one that was there. */
function completeSim(sim: Sim, known: readonly Sim[]): Sim {
  const isKnown = sim.carrier !== null || sim.countryCode !== null || sim.phoneNumber !== null
  return (isKnown ? undefined : known.find(({ slot }) => slot === sim.slot)) ?? sim
}

/**
 * Refuses a connection that the phone abandoned before its first frame arrived: its journal may be older than
 * a `go` on a newer connection.
 */
function isLate(phone: Phone, connection: Connection): boolean {
  const newest = phone.newestConnection
  return newest != null && connection.socket < newest.socket
}

/**
 * Ends the session in memory: offers return to the queue; messages being sent stay until the phone is back.
 * Returns the released messages.
 */
export function endSession(world: World, phone: Phone): readonly OpenMessage[] {
  phone.session = null
  phone.saysBusy = false
  phone.wokenAtMono = null
  const flights = [...phone.flights.values()]
  const freed = flights.map(({ message }) => message).filter(({ place }) => place === 'offered')
  for (const open of freed) withdrawOffer(world, phone, open)
  return freed
}

/** Whether the connection is one of the phone's current session. */
export function isCurrent(phone: Phone, connection: Connection): boolean {
  return phone.session?.connections.some(one => sameConnection(one, connection)) ?? false
}

export function sameConnection(a: Connection, b: Connection): boolean {
  return a.listener === b.listener && a.socket === b.socket
}
