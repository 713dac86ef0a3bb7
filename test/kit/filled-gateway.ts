/** A gateway with history: phones, weeks of texts, a webhook, deliveries and received texts. */
import { join } from 'node:path'
import { DAY_MS, dayOf } from '#domain/time.ts'
import { hash, systemSource } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { type GatewayStart, startGateway, type TestGateway } from '#test/kit/gateway.ts'
import type { Cleaner } from '#test/kit/gateway-process.ts'
import {
  Counts,
  DAYS,
  isAlert,
  RECEIVED_AT,
  STEP_MS,
  statusOf,
  timesOf,
  tookMs,
} from '#test/kit/past-texts.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface Past {
  readonly messages: number
  readonly phones: number
  readonly deliveries: number
  /** The tokens of the first phones; the others have none that anybody knows. */
  readonly tokens?: readonly string[]
  /** Changes to the default configuration. */
  readonly config?: GatewayStart['config']
}

const RECEIVED = 200
/** Nothing is posted there, because no text fails after the start. */
const RECEIVER = 'http://192.168.1.10:3000/sms-events'
const NAMES = ['Kitchen Pixel', 'Attic Nokia', 'Office Samsung', 'Garage Moto', 'Spare Xiaomi']
const CARRIERS = ['T-Mobile', 'Vodafone', 'Orange', 'AT&T']
const TEXTS = [
  'DOWN Nextcloud: connect ECONNREFUSED 192.168.1.20:443',
  'UP Nextcloud: 200 - OK (down 3m)',
  'Backup of the NAS done in 12 minutes, 3 files changed',
  'CRITICAL DiskFull on nas: /srv is 97 % full',
  'Your parcel is at the gate.',
]

/** Starts a gateway on this history, with one webhook and a URL for notifications. */
export async function startFilledGateway(t: Cleaner, past: Past): Promise<TestGateway> {
  const dataDir = temporaryDirectory(t)
  const config = { http: { anonymous_calls_per_minute: 600_000 }, ...past.config }
  const first = await startGateway({ dataDir, config })
  const { token, accountId } = await first.owner()
  const hook = { name: 'Uptime Kuma', recipients: ['+14155550123'] }
  const created = await first.call('POST', '/api/v1/webhooks', { token, json: hook })
  await first.call('PUT', '/api/v1/notifications', { token, json: { url: RECEIVER, events: ['sms.failed'] } })
  await first.stop()
  writePast(join(dataDir, 'roost.db'), { ...past, accountId, webhookId: String(created.json?.data['id']) })
  const gateway = await startGateway({ dataDir, config })
  t.after(() => gateway.stop())
  return gateway
}

/** The past to write, with the ids of its owner and its webhook. */
interface OwnedPast extends Past {
  readonly accountId: string
  readonly webhookId: string
}

type Row = readonly (string | number | null | Uint8Array)[]
type Insert = (table: string, row: Row) => void

const source = systemSource(new Uint8Array(32))

function writePast(file: string, past: OwnedPast): void {
  const database = new DatabaseSync(file)
  const statements = new Map<string, ReturnType<DatabaseSync['prepare']>>()
  const columns = new Map<string, ReturnType<ReturnType<DatabaseSync['prepare']>['all']>>()
  const insert: Insert = (table, row) => {
    // Columns that later migrations added keep their defaults.
    const known = columns.get(table) ?? database.prepare(`PRAGMA table_info(${table})`).all()
    columns.set(table, known)
    const names = known.slice(0, row.length).map(({ name }) => name)
    const sql = `INSERT INTO ${table} (${names.join(', ')}) VALUES (${row.map(() => '?').join(', ')})`
    const statement = statements.get(sql) ?? database.prepare(sql)
    statements.set(sql, statement)
    statement.run(...row)
  }
  const now = Date.now()
  database.exec('BEGIN')
  const phones = Array.from({ length: past.phones }, (_, index) => writePhone(insert, past, index, now))
  const counts = new Counts()
  const messages = timesOf(past.messages, now).map((at, index) => {
    counts.message(index, at)
    const able = Math.max(past.tokens?.length ?? 0, 1, (now - at - TOOK_MS) / SEEN_APART_MS)
    const deviceId = phones[index % Math.min(phones.length, Math.floor(able))] ?? null
    return writeMessage(insert, { ...past, deviceId }, index, at)
  })
  countPast(database, now)
  for (let index = 0; index < past.deliveries; index++)
    writeDelivery(insert, { ...past, subject: messages[index % messages.length] ?? '' }, index, now)
  for (let index = Math.min(RECEIVED, past.messages) - 1; index >= 0; index--) {
    const at = now - index * 1_800_000
    const from = `+1415555${String(100 + (index % 7)).padStart(4, '0')}`
    const text = index % 2 === 0 ? 'Thanks, I am on my way.' : 'STOP'
    counts.add(at, RECEIVED_AT)
    insert('received', [
      source.id('rcv_', at),
      phones[0] ?? '',
      past.accountId,
      `${index}`,
      from,
      text,
      1,
      at,
    ])
  }
  for (const row of counts.rows()) insert('usage_quarter', [past.accountId, ...row])
  database.exec('COMMIT')
  database.close()
}

/** What the gateway would have noted of these texts: counts of phones and webhooks, and the last alerts. */
function countPast(database: DatabaseSync, now: number): void {
  const day = Math.floor(now / DAY_MS)
  database.exec(`
    UPDATE device SET sent_day = ${day},
      sent_count = (SELECT count(*) FROM message WHERE device_id = device.id AND sent_at >= ${day * DAY_MS}),
      segment_days = (SELECT json_group_array(json_array(day, sent)) FROM (
        SELECT sent_at / ${DAY_MS} AS day, count(*) AS sent FROM message
        WHERE device_id = device.id AND sent_at IS NOT NULL GROUP BY 1));
    UPDATE webhook SET day = ${day}, on_day = alerts.today, total = alerts.total,
      last_triggered_at = alerts.last
      FROM (SELECT webhook_id, count(*) AS total, max(created_at) AS last,
        count(*) FILTER (WHERE created_at >= ${day * DAY_MS}) AS today FROM message GROUP BY 1) AS alerts
      WHERE alerts.webhook_id = webhook.id;
    INSERT INTO webhook_seen (webhook_id, at, address, outcome, format, message)
      SELECT webhook_id, created_at, '192.168.1.9', 'TRIGGERED', 'uptime-monitor', text FROM message
      WHERE webhook_id IS NOT NULL AND created_at > ${now - DAY_MS} ORDER BY created_at;
    INSERT INTO webhook_trigger (webhook_id, at, request_hash, message_ids)
      SELECT webhook_id, created_at, randomblob(32), json_array(id) FROM message
      WHERE webhook_id IS NOT NULL AND created_at > ${now - DAY_MS / 24}`)
}

/** No text of this past is on its way for longer. */
const TOOK_MS = 100_000

/** Each phone was last seen so much earlier than the one before it. Texts after that went by the others. */
const SEEN_APART_MS = 420_000

function writePhone(insert: Insert, past: OwnedPast, index: number, now: number): string {
  const { accountId, tokens = [] } = past
  const id = source.id('dev_', now - DAYS * DAY_MS)
  const name = `${NAMES[index % NAMES.length]}${index < NAMES.length ? '' : ` ${index}`}`
  const carrier = CARRIERS[index % CARRIERS.length] ?? ''
  const sims = JSON.stringify([{ slot: 1, carrier, countryCode: 'US', phoneNumber: null }])
  const lastSeenAt = now - index * SEEN_APART_MS
  const state = [sims, ...levelsAt(Math.floor(lastSeenAt / HALF_HOUR_MS), index), 0, null]
  const times = [now - DAYS * DAY_MS, lastSeenAt, 0, dayOf(now), 0]
  const token = tokens[index] === undefined ? new Uint8Array([index % 256, index >> 8]) : hash(tokens[index])
  insert('device', [
    id,
    accountId,
    token,
    name,
    'android',
    '1',
    ...state,
    ...times,
    null,
    'roost',
    null,
    null,
    // The first one has handed in the received texts.
    index === 0 ? 1 : null,
  ])
  writeHalfHours(insert, { accountId, id, index, now, lastSeenAt })
  return id
}

const HALF_HOUR_MS = 1_800_000

interface HistoryOfPast extends Pick<OwnedPast, 'accountId'> {
  readonly id: string
  readonly index: number
  readonly now: number
  readonly lastSeenAt: number
}

/** The battery empties over a day and is charged at night. */
function levelsAt(
  halfHour: number,
  index: number,
): readonly [battery: number, charging: number, signal: number] {
  const phase = (halfHour + index * 7) % 48
  const isCharging = phase > 40
  const battery = isCharging ? 100 - (48 - phase) * 8 : 98 - phase
  return [battery, Number(isCharging), -75 - (index % 8) * 5 - ((halfHour * 7) % 11)]
}

/** Every 31st half-hour has a failure. The gateway was off for two hours of each day. */
function writeHalfHours(insert: Insert, { accountId, id, index, now, lastSeenAt }: HistoryOfPast): void {
  const last = Math.floor(now / HALF_HOUR_MS) - 1
  for (let ago = DAYS * 48 - 1; ago >= 0; ago--) {
    const halfHour = last - ago
    if (ago % 48 > 40 && ago % 48 < 45) continue
    const failed = (halfHour + index) % 31 === 0 ? 2 : 0
    const offline = (halfHour + index * 11) % 97 < 2 ? 12 : 0
    // The phone was away for an hour and a half, and since it was last seen.
    const isAway = (halfHour + index) % 67 <= 2 || halfHour > lastSeenAt / HALF_HOUR_MS
    const row = isAway
      ? [null, null, null, 30, 0, 0]
      : [...levelsAt(halfHour, index), offline, (halfHour * 5) % 9, failed]
    insert('phone_history', [accountId, id, halfHour, ...row])
  }
}

interface MessageOfPast extends OwnedPast {
  readonly deviceId: string | null
}

function writeMessage(insert: Insert, past: MessageOfPast, index: number, at: number): string {
  const id = source.id('msg_', at)
  const status = statusOf(index)
  const steps = {
    failed: ['sending', 'failed'],
    sent: ['sending', 'sent'],
    delivered: ['sending', 'sent', 'delivered'],
  }
  const deliveredAt = status === 'delivered' ? at + tookMs(index) : null
  const timeline = ['queued', ...steps[status]].map((step, nth) => [
    step,
    step === 'delivered' ? deliveredAt : at + nth * STEP_MS,
  ])
  const number = `+1415555${String(100 + (index % 100)).padStart(4, '0')}`
  const head = [
    at * 1_000 + (index % 1_000),
    id,
    past.accountId,
    0,
    isAlert(index) ? 'webhook' : 'sms',
    number,
    'US',
  ]
  const text = [
    TEXTS[index % TEXTS.length] ?? '',
    1,
    'GSM-7',
    'normal',
    null,
    0,
    at,
    at + 4 * 3_600_000,
    null,
  ]
  const sending = [isAlert(index) ? past.webhookId : null, status, past.deviceId, 1, 0]
  const sentAt = status === 'failed' ? null : at + 2 * STEP_MS
  const failure = { code: 'NO_SERVICE', message: 'The phone had no network.' }
  const end = [
    sentAt,
    deliveredAt,
    status === 'failed' ? JSON.stringify(failure) : null,
    JSON.stringify(timeline),
    null,
    0,
  ]
  insert('message', [...head, ...text, ...sending, ...end])
  return id
}

interface DeliveryOfPast extends OwnedPast {
  /** The id of the message that the delivery is about. */
  readonly subject: string
}

/** Deliveries are a minute apart; one in nine failed. */
function writeDelivery(insert: Insert, past: DeliveryOfPast, index: number, now: number): void {
  const at = now - (past.deliveries - index) * 60_000
  const isFailed = index % 9 === 0
  const event = isFailed ? 'sms.failed' : 'sms.delivered'
  const status = isFailed ? 500 : 204
  const attempts = isFailed ? 4 : 1
  const log = Array.from({ length: attempts }, (_, nth) => {
    return [at + nth * 5_000, status, null, 42 + nth, isFailed ? 'Oops' : '']
  })
  const failure = { code: 'NO_SERVICE', message: 'The phone had no network.' }
  const result = isFailed ? { status: 'failed', failure } : { status: 'delivered' }
  const data = { messageId: past.subject, phoneNumber: `+141555501${index % 4}0`, ...result }
  const body = JSON.stringify({ event, timestamp: new Date(at).toISOString(), data })
  const head = [index + 1, source.id('evt_', at), past.accountId, event, past.subject, null, 'account', body]
  const counts = [attempts, attempts, 0]
  const end = [at, isFailed ? 'failed' : 'delivered', ...counts, RECEIVER, status, null, JSON.stringify(log)]
  insert('notification_delivery', [...head, ...end])
}
