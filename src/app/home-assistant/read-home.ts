import type { Writer } from '#contracts/commands.ts'
import { isProvenAt } from '#contracts/proven.ts'
import type { Home } from '#domain/home-assistant/describe-home.ts'
import type { ReceivedText } from '#domain/inbox/inbox-reader.ts'
import type { Person } from '#domain/on-call/on-call-store.ts'
import { onCallAt } from '#domain/on-call/turns.ts'
import { openReadOnly } from '#storage/database.ts'
import { openInboxReader } from '#storage/inbox-reader.ts'
import { openIncidentRows } from '#storage/incident-store.ts'
import { openOnCallRows } from '#storage/on-call-store.ts'

/** Received texts that are read at once. Of more in the blink of an eye, the oldest are left out. */
const RECEIVED_MAX = 50

/** What Home Assistant may know of one account. */
export interface HomeReader {
  home(): Promise<Home>
  person(id: string): Person | undefined
  /** The incident that has waited longest for somebody; undefined: none waits. */
  oldestIncident(): string | undefined
  /** Texts that came after the one with this id, the oldest first; without an id: the newest one. */
  receivedAfter(id: string | null): readonly ReceivedText[]
  close(): void
}

/** `file`: the database. */
export function openHomeReader(file: string, accountId: string, writer: Writer): HomeReader {
  const database = openReadOnly(file)
  const onCall = openOnCallRows(database)
  const incidents = openIncidentRows(database)
  const inbox = openInboxReader(database)
  const waiting = () => incidents.live(accountId).filter(({ state }) => state !== 'taken')
  return {
    async home() {
      const [devices, problems] = await Promise.all([
        writer.ask('device.list', { accountId }),
        writer.ask('health.list', { accountId }),
      ])
      const at = { wallMs: Date.now(), zone: Intl.DateTimeFormat().resolvedOptions().timeZone }
      return {
        people: onCall.person.list(accountId),
        policies: onCall.policy.list(accountId),
        rotas: onCall.rota.list(accountId).map(rota => {
          const { personId } = onCallAt(rota, at.wallMs, at.zone)
          return {
            id: rota.id,
            name: rota.name,
            onCall: onCall.person.find(accountId, personId)?.name ?? personId,
          }
        }),
        phones: devices.map(({ deviceId: id, name, status, battery, signal, ...device }) => {
          const isBroken = problems.some(({ code, subject }) => code === 'CHAIN_BROKEN' && subject === id)
          const isProven = !isBroken && isProvenAt(device.proven.sends, device.drill, at.wallMs)
          return { id, name, isOnline: status === 'online', battery, signal, isProven }
        }),
        openIncidents: waiting().length,
        isWrong: problems.length > 0,
      }
    },
    person: id => onCall.person.find(accountId, id),
    oldestIncident: () => waiting()[0]?.id,
    receivedAfter(id) {
      const all = { from: null, deviceId: null, search: null, since: null, until: null, before: null }
      const { received } = inbox.list({ accountId, ...all, limit: id === null ? 1 : RECEIVED_MAX })
      return received.filter(one => id === null || one.id > id).toReversed()
    },
    close: () => database.close(),
  }
}
