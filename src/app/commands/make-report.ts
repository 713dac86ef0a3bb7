/** Makes the report about a gateway from closed lists, counts, and times rounded to an hour only. */
import { DRIVERS } from '#agent/drivers/drivers.ts'
import { sentenceOf } from '#app/explain-failure.ts'
import { HEALTH_CODES } from '#contracts/health.ts'
import { MODEM_MODELS } from '#contracts/modem.ts'
import { DEVICE_PROTOCOLS } from '#contracts/phone-orders.ts'
import { MESSAGE_KINDS, MESSAGE_STATUSES } from '#contracts/primitives.ts'
import { VERSION } from '#contracts/version.ts'
import { describeDay } from '#domain/account/day-counts.ts'
import type { Diagnosis } from '#domain/doctor/examine.ts'
import type { DoctorFacts } from '#domain/doctor/facts.ts'
import { FAILURES } from '#domain/message/message.ts'
import { PHONE_FAILURES } from '#domain/message/phone-failure.ts'
import { date, HOUR_MS, instant } from '#domain/time.ts'
import { dataDirectory } from '#storage/data-directory.ts'
import { type OutcomeRow, readReportRows } from '#storage/report-reader.ts'

/** Days of which it has counts. */
const DAYS = 30
const OTHER = 'other'
const FAILURE_CODES = [...Object.keys(FAILURES), ...PHONE_FAILURES]

interface Seen {
  readonly dataDir: string
  readonly facts: DoctorFacts
  readonly findings: readonly Diagnosis[]
}

/** `failed` gets the reason why there are no counts: the database cannot be read. */
export function makeReport(seen: Seen, failed: (fault: string) => void) {
  return { ...aboutMachine(seen), ...countsIn(seen.dataDir, failed) }
}

function aboutMachine({ facts, findings }: Seen) {
  const { running } = facts.gateway
  const { node, sqlite = null } = process.versions
  const modems = facts.modems !== null && 'modems' in facts.modems ? facts.modems.modems : []
  const codes = findings.filter(({ severity }) => severity !== 'ok')
  return {
    at: hour(facts.now),
    versions: { roost: VERSION, node, sqlite, platform: `${process.platform}-${process.arch}` },
    gateway: running && { isSameVersion: running.version === VERSION, startedAt: hour(running.startedAt) },
    modems: modems.map(({ model }) => modelOf(model)).sort(),
    problems: codes.map(({ code, severity, since }) => ({
      // The codes of checks are this program's own. A gateway of another version may have other problems.
      code: since === null ? code : listed(HEALTH_CODES, code),
      severity,
      since: since === null ? null : hour(Date.parse(since)),
    })),
  }
}

function countsIn(dataDir: string, failed: (fault: string) => void) {
  try {
    const rows = readReportRows(dataDirectory(dataDir).database, { days: DAYS, wallMs: Date.now() })
    return {
      phones: rows.phones.map(({ protocol, driver, lastSeenAt }) => ({
        kind: listed(DEVICE_PROTOCOLS, protocol),
        driver: listed(Object.keys(DRIVERS), driver),
        lastSeen: hour(lastSeenAt),
      })),
      days: rows.days.map(({ day, values }) => {
        const { deliveryMs: _, ...counts } = describeDay(day, values)
        return counts
      }),
      outcomes: outcomesOf(rows.outcomes),
    }
  } catch (error) {
    failed(sentenceOf(error))
    return { phones: null, days: null, outcomes: null }
  }
}

/** Rows that differ only in what no list has are one. */
function outcomesOf(rows: readonly OutcomeRow[]) {
  const all = new Map<string, Omit<OutcomeRow, 'status'>>()
  for (const row of rows) {
    const kind = listed(MESSAGE_KINDS, row.kind)
    const status = listed(MESSAGE_STATUSES, row.status)
    const code = row.status === 'failed' ? listed(FAILURE_CODES, row.code) : status
    const known = all.get(`${row.day} ${kind} ${code}`)
    all.set(`${row.day} ${kind} ${code}`, {
      day: row.day,
      kind,
      code,
      count: row.count + (known?.count ?? 0),
      firstAt: Math.min(row.firstAt, known?.firstAt ?? row.firstAt),
      lastAt: Math.max(row.lastAt, known?.lastAt ?? row.lastAt),
    })
  }
  return [...all.values()].map(({ day, kind, code, count, firstAt, lastAt }) => {
    return { day: date(day), kind, outcome: code, count, from: hour(firstAt), until: hour(lastAt) }
  })
}

function listed(list: readonly string[], value: string): string {
  return list.includes(value) ? value : OTHER
}

function modelOf(own: string): string {
  const known = Object.entries(MODEM_MODELS).flatMap(([maker, models]) =>
    models.map(one => [maker, one] as const),
  )
  const found = known.find(([, model]) => own.toUpperCase().includes(model))
  return found === undefined ? OTHER : found.join(' ')
}

function hour(wallMs: number): string | null {
  const rounded = Math.floor(wallMs / HOUR_MS) * HOUR_MS
  return Math.abs(rounded) <= 8.64e15 ? instant(rounded) : null
}
