/**
 * Runs the real storage in a traced process. After each batch it prints on standard output how many commits
 * are done, where a listener would answer callers and phones. It ends by SIGKILL or like a gateway.
 */

import { writeSync } from 'node:fs'
import type { CommandInput, CommandName, CommandOutput } from '#contracts/commands.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import type { JournalState, PhoneNews } from '#contracts/phone-orders.ts'
import type { Effect } from '#domain/effect.ts'
import { plainText } from '#domain/message/message-fields.ts'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { openStorage } from '#storage/open-storage.ts'
import { loadSecret } from '#storage/secret-file.ts'
import { systemSource } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { Random } from '#test/kit/random.ts'
import { testSettings } from '#test/kit/world.ts'
import { countOf, digestRows } from '#test/power-cut/digest-rows.ts'
import type { Said } from '#test/power-cut/said.ts'

export interface ChildInput {
  readonly dataDir: string
  /** A weaker `PRAGMA synchronous`, with which storage must lose data; null: the real setting. */
  readonly synchronous: 'NORMAL' | 'OFF' | null
  readonly seed: number
  readonly batches: number
  readonly end: 'SIGKILL' | 'close'
}

const DAY_MS = 86_400_000
/** Far below the real bound, which would take 16 MB of writes to reach. The checkpoint is the same. */
const CHECKPOINT_PAGES = 60

interface Asked<N extends CommandName = CommandName> {
  readonly name: N
  readonly input: CommandInput<N>
}

const input = JSON.parse(process.argv[2] ?? '') as ChildInput
const random = new Random(input.seed)
let wallMs = Date.UTC(2026, 0, 15, 12)
let monoMs = 1_000_000
/** The commands that the phones send next. */
let told: Asked[] = []
/** Device ids by socket. */
const phones = new Map<number, string>()

tamper()
const directory = dataDirectory(input.dataDir)
makeDataDirectory(directory)
const storage = openStorage(directory, {
  settings: testSettings(),
  source: systemSource(loadSecret(directory.codeKey)),
  now: () => ({ wallMs, monoMs }),
  faulted: error => {
    throw error
  },
})
const reader = openReadOnly(directory.database)
const listReader = openReadOnly(directory.database)
say()
work()
if (input.end === 'SIGKILL') process.kill(process.pid, 'SIGKILL')
reader.close()
listReader.close()
storage.close()

/** Storage keeps its connection private, so this catches it when the first transaction is prepared. */
function tamper(): void {
  const { prepare } = DatabaseSync.prototype
  const weaker = input.synchronous === null ? '' : `PRAGMA synchronous = ${input.synchronous};`
  DatabaseSync.prototype.prepare = function (sql, ...more) {
    if (sql === 'BEGIN IMMEDIATE') this.exec(`${weaker} PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES}`)
    return prepare.call(this, sql, ...more)
  }
}

/** Writes synchronously to a file descriptor, so that the trace has the line at the right place. */
function say(): void {
  const said: Said = { count: countOf(reader), digest: digestRows(reader) }
  writeSync(1, `${JSON.stringify(said)}\n`)
}

function work(): void {
  const accountId = ask('gateway.first-start', {})?.accountId ?? onlyAccount()
  const url = 'https://example.test/hook'
  ask('notification.set', { accountId, url, events: NOTIFICATION_EVENTS })
  for (const socket of [1, 2]) connect(accountId, socket)
  for (let batch = 1; batch <= input.batches; batch++) {
    // Three months later every message is final and removed by retention.
    const isLate = batch === Math.floor((input.batches * 2) / 3)
    const ms = isLate ? 100 * DAY_MS : random.below(20_000)
    wallMs += ms
    monoMs += ms
    // A reader of a long list keeps the write-ahead log from being overwritten.
    const list = random.chance(0.1) ? listReader.prepare('SELECT id FROM message').iterate() : null
    list?.next()
    for (let i = random.below(3); i >= 0; i--) {
      const said = told
      told = []
      run([...said, ...Array.from({ length: random.below(5) }, () => accept(accountId))])
    }
    list?.return?.()
  }
}

function run(asked: readonly Asked[]): readonly unknown[] {
  const { answers, effects } = storage.batch.run(asked.map((call, id) => ({ id, ...call })))
  say()
  for (const effect of effects) hear(effect)
  return answers.map(answer => (answer.ok ? answer.output : null))
}

function ask<N extends CommandName>(name: N, input: CommandInput<N>): CommandOutput<N> {
  return run([{ name, input }])[0] as CommandOutput<N>
}

function onlyAccount(): string {
  return String(reader.prepare('SELECT id FROM account').get()?.['id'])
}

function connect(accountId: string, socket: number): void {
  const { code } = ask('device.create-pairing', { accountId, name: null })
  const { deviceId } = ask('device.pair', { code, name: null, platform: null, appVersion: null })
  phones.set(socket, deviceId)
  const about = { appVersion: null, platform: null, sims: [] }
  run([
    tellingOf(socket, { type: 'opened', ...about }),
    tellingOf(socket, { type: 'journal', entries: [], more: false }),
  ])
}

/** A phone begins, sends and reports, each in a later batch, and often skips a step. */
function hear(effect: Effect): void {
  if (effect.kind !== 'order' || random.chance(0.2)) return
  const { order, connection } = effect
  if (order.type !== 'offer' && order.type !== 'go') return
  const { messageId, attempt } = order.type === 'offer' ? order.message : order
  const say = (news: PhoneNews) => told.push(tellingOf(connection.socket, news))
  if (order.type === 'offer') {
    say({ type: 'begin', messageId, attempt })
    return
  }
  const state = random.pick<JournalState>(['sent', 'delivered', 'failed', 'uncertain'])
  const code = state === 'failed' ? 'NO_SERVICE' : null
  say({ type: 'report', messageId, attempt, state, code })
}

function tellingOf(socket: number, news: PhoneNews): Asked {
  const deviceId = phones.get(socket) ?? ''
  return { name: 'phone.news', input: { deviceId, connection: { listener: 1, socket }, news } }
}

function accept(accountId: string): Asked {
  const text = 'x'.repeat(1 + random.below(random.chance(0.2) ? 1500 : 160))
  const key = { scope: accountId, key: `key-${random.next()}`, bodyHash: 'hash' }
  const input: CommandInput<'message.accept'> = {
    ...plainText({ accountId, phoneNumber: '+14155550123', country: 'US', text }),
    segments: Math.ceil(text.length / 153),
    idempotency: random.chance(0.5) ? key : null,
  }
  return { name: 'message.accept', input }
}
