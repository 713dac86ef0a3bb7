import { SYNC_MS_MAX } from '#contracts/bounds.ts'
import type { PhoneConnection } from '#contracts/phone-commands.ts'
import type { PhoneNews, Sim } from '#contracts/phone-orders.ts'
import {
  cleanOrNull,
  cleanSims,
  TROUBLE_LENGTH_MAX,
  VERSION_LENGTH_MAX,
} from '#domain/device/clean-details.ts'
import type { Device, Phone } from '#domain/device/phone.ts'
import { loseRings } from '#domain/device/ring.ts'
import type { OpenMessage } from '#domain/message/message-queue.ts'
import { offerMessages, withdrawOffer } from '#domain/sending/offer-messages.ts'
import { closeConnection, sendOrderOn } from '#domain/sending/send-order.ts'
import { announceOnline, setTrouble } from '#domain/sending/set-trouble.ts'
import { wakeIncidents } from '#domain/sending/wake-incidents.ts'
import type { World } from '#domain/world.ts'

/**
 * A phone that returns with nothing new is written to the database only if its row is older than this. Agents
 * report battery and signal every five minutes, which updates the row.
 */
export const LAST_SEEN_UNSAVED_MS_MAX = 600_000

export interface OpenedConnection {
  readonly deviceId: string
  readonly connection: PhoneConnection
  readonly news: Extract<PhoneNews, { readonly type: 'opened' }>
}

/**
 * Handles a new connection of a phone. A phone that may have only one connection gets a new session: its
 * older session ends, and the offers of that session return to the queue. Messages that already got `go` stay
 * with the phone until it reports its journal. A phone that may have several connections adds the new one to
 * its session.
 */
export function openPhoneSession(world: World, opened: OpenedConnection): void {
  const phone = world.fleet.phones.get(opened.deviceId)
  const { connection } = opened
  if (phone === undefined)
    return closeConnection(world, connection, { why: 'removed', reason: 'this device was removed' })
  if (phone.can.oneConnection && isLate(phone, connection)) {
    const reason = 'this device has a newer connection'
    return closeConnection(world, connection, { why: 'superseded', reason })
  }
  phone.newestConnection = connection
  const sessionId = joinSession(world, phone, connection)
  welcome(world, phone, { opened, sessionId })
  if (phone.session?.synced) offerMessages(world, phone)
}

/** Adds the connection to the phone's session, or opens a new session if the phone may have only one. */
function joinSession(world: World, phone: Phone, connection: PhoneConnection): string {
  const older = phone.session
  if (older !== null && !phone.can.oneConnection) {
    older.connections = [...older.connections, connection]
    return older.id
  }
  const { wallMs, monoMs } = world.now
  if (older !== null) {
    endPhoneSession(world, phone)
    // In case the phone never reports its journal in the new session.
    const goneAtMono = phone.heardAtMono + world.settings.offlineAfterMs
    world.deadlines.add(Math.max(goneAtMono, monoMs + SYNC_MS_MAX), 'offline', phone.id)
    const reason = 'another connection of this device took over'
    for (const one of older.connections)
      if (!sameConnection(one, connection)) closeConnection(world, one, { why: 'superseded', reason })
  }
  const id = world.source.id('ses_', wallMs)
  phone.session = { id, connections: [connection], synced: !phone.can.asksFirst, since: monoMs }
  world.fleet.uncommittedSessions.set(phone.session, 'opened')
  phone.reportsBusy = false
  if (phone.can.asksFirst) world.deadlines.add(monoMs + SYNC_MS_MAX, 'sync', phone.id)
  return id
}

function welcome(
  world: World,
  phone: Phone,
  { opened, sessionId }: { readonly opened: OpenedConnection; readonly sessionId: string },
): void {
  const { connection, news } = opened
  phone.receiveTrouble = cleanOrNull(news.receiveTrouble ?? null, TROUBLE_LENGTH_MAX)
  recordPhoneDetails(world, phone, news)
  setTrouble(world, phone, news.trouble ?? null)
  if (phone.session?.synced) noteConnected(world, phone)
  // Three pings before the phone would count as offline.
  const pingEverySeconds = Math.max(1, Math.floor(world.settings.offlineAfterMs / 3 / 1000))
  sendOrderOn(world, connection, {
    type: 'welcome',
    session: sessionId,
    at: world.now.wallMs,
    pingEverySeconds,
  })
}

/**
 * Notes that the phone is connected and has reported its journal, if it keeps one. A phone that only says
 * hello does not count as online, because it may never do more.
 */
export function noteConnected(world: World, phone: Phone): void {
  const { wallMs, monoMs } = world.now
  phone.heardAtMono = monoMs
  if (phone.unreachableSinceMono === null) phone.lastSeenAt = wallMs
  if (Math.abs(phone.lastSeenAt - phone.device.lastSeenAt) >= LAST_SEEN_UNSAVED_MS_MAX) {
    phone.device = { ...phone.device, lastSeenAt: phone.lastSeenAt }
    world.devices.save(world.tx, phone.device)
  } else world.devices.noteChange(phone.device)
  world.fleet.noteCountries(phone)
  announceOnline(world, phone)
  wakeIncidents(world, phone.device.accountId)
}

/**
 * Stores the facts that the phone reports about itself. A fact that it does not report stays as it was. If
 * nothing is new, the row stays as it is: after a restart all phones return at once, and a write for each
 * would delay sends.
 */
export function recordPhoneDetails(world: World, phone: Phone, news: OpenedConnection['news']): void {
  const { device } = phone
  const reported = {
    platform: cleanOrNull(news.platform, VERSION_LENGTH_MAX) ?? device.platform,
    appVersion: cleanOrNull(news.appVersion, VERSION_LENGTH_MAX) ?? device.appVersion,
    driver: news.driver ?? device.driver,
    calls: news.calls ?? device.calls,
    receives: news.receives ?? device.receives,
    sims: news.sims.length > 0 ? cleanSims(news.sims).map(sim => completeSim(sim, device.sims)) : device.sims,
  }
  if (isStored(reported, device)) world.devices.noteChange(device)
  else {
    phone.device = { ...device, ...reported, lastSeenAt: phone.lastSeenAt }
    world.devices.save(world.tx, phone.device)
    world.fleet.noteCountries(phone)
  }
}

/** Whether the device's row already has these facts. */
function isStored(
  reported: Pick<Device, 'platform' | 'appVersion' | 'driver' | 'calls' | 'receives' | 'sims'>,
  device: Device,
): boolean {
  return (
    reported.platform === device.platform &&
    reported.appVersion === device.appVersion &&
    reported.driver === device.driver &&
    reported.calls === device.calls &&
    reported.receives === device.receives &&
    (reported.sims === device.sims || JSON.stringify(reported.sims) === JSON.stringify(device.sims))
  )
}

/** Completes a SIM of which the phone reports only the slot, from the SIM last known in that slot. */
function completeSim(sim: Sim, known: readonly Sim[]): Sim {
  const hasDetails = sim.carrier !== null || sim.countryCode !== null || sim.phoneNumber !== null
  if (hasDetails) return sim
  return known.find(({ slot }) => slot === sim.slot) ?? sim
}

/**
 * Whether the phone opened a newer connection before the first frame of this one arrived. This one is
 * refused, because its journal may be older than a `go` on the newer connection.
 */
function isLate(phone: Phone, connection: PhoneConnection): boolean {
  const newest = phone.newestConnection
  return newest != null && connection.socket < newest.socket
}

/**
 * Ends the session in memory. Offers return to the queue. Messages being sent wait for the phone to come
 * back. Returns the messages of the returned offers.
 */
export function endPhoneSession(world: World, phone: Phone): readonly OpenMessage[] {
  phone.session = null
  phone.reportsBusy = false
  phone.wokenAtMono = null
  loseRings(world, phone)
  const flights = [...phone.flights.values()]
  const withdrawn = flights.map(({ message }) => message).filter(({ stage }) => stage === 'offered')
  for (const open of withdrawn) withdrawOffer(world, phone, open)
  return withdrawn
}

/** Whether the connection belongs to the phone's current session. */
export function isCurrent(phone: Phone, connection: PhoneConnection): boolean {
  return phone.session?.connections.some(one => sameConnection(one, connection)) ?? false
}

export function sameConnection(a: PhoneConnection, b: PhoneConnection): boolean {
  return a.listener === b.listener && a.socket === b.socket
}
