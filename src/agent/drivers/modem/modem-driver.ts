/** Sends through a modem that ModemManager drives: a stick, a HAT or a built-in one. */
import type { Driver } from '#agent/drivers/driver.ts'
import { DeliveryReports } from '#agent/drivers/modem/delivery-reports.ts'
import { Inbox } from '#agent/drivers/modem/inbox.ts'
import { ModemLink, type ModemLinkPorts } from '#agent/drivers/modem/modem-link.ts'
import { ringPhone } from '#agent/drivers/modem/ring-phone.ts'
import { TextSender } from '#agent/drivers/modem/send-text.ts'

const MODEM_CHECK_EVERY_MS = 10_000
/** Received signal strength in dBm of no signal and of the best one, as modems report it (3GPP 27.007). */
const WEAKEST_DBM = -113
const STRONGEST_DBM = -51

export function modemDriver(ports: ModemLinkPorts): Driver {
  const link = new ModemLink(ports)
  const reports = new DeliveryReports(ports.record, ports.clock)
  const sender = new TextSender(link, reports)
  const inbox = new Inbox({ link, reports, sender })
  const ring: Driver['ring'] = (phoneNumber, seconds, signal) =>
    ringPhone(link, { phoneNumber, seconds }, signal)
  return {
    checkEveryMs: MODEM_CHECK_EVERY_MS,
    send: order => sender.send(order),
    mark: () => sender.mark(),
    follow: (order, state, signal) =>
      state === 'sent' ? reports.follow(order, signal) : Promise.resolve(null),
    lookUp: order => sender.lookUp(order),
    check: async () => {
      const examined = await link.examine()
      return examined.kind === 'trouble' ? examined.sentence : null
    },
    phoneName: async () => link.seen?.model ?? null,
    telemetry: async () => ({ battery: null, charging: null, signal: dbmOf(link.seen?.signal ?? null) }),
    sims: async () => {
      const { seen, sim } = link
      if (seen === null) return []
      const carrier = seen.isRoaming ? `${seen.operator ?? '?'} (roaming)` : seen.operator
      return [{ slot: 1, carrier, countryCode: sim?.countryCode ?? null, phoneNumber: seen.phoneNumber }]
    },
    get ring() {
      return link.seen?.canCall === false ? undefined : ring
    },
    incoming: (cursor, isWaiting) => inbox.read(cursor, isWaiting),
    onIncoming: wake => {
      link.onText = wake
    },
    close: () => link.close(),
  }
}

/** ModemManager says percent of the range of the modem's own scale. */
function dbmOf(percent: number | null): number | null {
  return percent === null ? null : Math.round(WEAKEST_DBM + ((STRONGEST_DBM - WEAKEST_DBM) * percent) / 100)
}
