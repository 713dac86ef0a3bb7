import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import type { CommandInput, CommandName, CommandOutput } from '#contracts/commands.ts'
import { NOTIFICATION_EVENTS } from '#contracts/notification-event.ts'
import { DAY_MS, type Now } from '#domain/time.ts'
import { refuseEmptied } from '#storage/commit-loss.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { openStorage, type Storage } from '#storage/open-storage.ts'
import { systemSource } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { HUNG, reports } from '#test/kit/notified-world.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'
import { testSettings } from '#test/kit/world.ts'

const NOW: Now = { wallMs: Date.UTC(2026, 0, 16), monoMs: 1_000_000 }

test('after lost commits each open message ends once, and its owner is notified', t => {
  const directory = makeDirectory(t)
  const storage = open(directory)
  const accountId = ask(storage, 'gateway.first-start', {})?.accountId ?? ''
  ask(storage, 'notification.set', { accountId, url: 'https://receiver.test/', events: NOTIFICATION_EVENTS })
  const send = (test: boolean) => {
    const message = messageToAccept(accountId, { queueIfOffline: true, test })
    return acceptedIn(ask(storage, 'message.accept', message)).messageId
  }
  const [real, simulated] = [send(false), send(true)]
  const planned = acceptedIn(
    ask(storage, 'message.accept', messageToAccept(accountId, { sendAt: NOW.wallMs + DAY_MS })),
  ).messageId
  storage.close()
  const aside = `${directory.database}.aside`
  copyFileSync(directory.database, aside)

  const later = open(directory)
  ask(later, 'message.cancel', { accountId, messageId: real, test: false })
  later.close()
  copyFileSync(aside, directory.database)

  const back = open(directory)
  assert.equal(back.lost?.messages, 1)
  back.close()
  const found = look(directory, real)
  assert.equal(found.status, 'failed')
  assert.match(found.failure, /OUTCOME_UNKNOWN/)
  assert.deepEqual(found.events, ['sms.failed'])
  assert.equal(look(directory, simulated).status, 'queued')
  assert.equal(look(directory, planned).status, 'queued', 'its time is still to come')

  const again = open(directory)
  assert.equal(again.lost, null, 'the count is higher than every earlier count')
  again.close()
  assert.deepEqual(look(directory, real).events, ['sms.failed'])

  copyFileSync(aside, directory.database)
  const twice = open(directory)
  assert.equal(twice.lost?.messages, 1, 'restoring the same copy again is noticed again')
  twice.close()
})

/** A gateway whose clock the test moves. */
function openClocked(t: TestContext) {
  const directory = makeDirectory(t)
  const now = { ...NOW }
  return {
    directory,
    now,
    start() {
      refuseEmptied(directory)
      return open(directory, () => now)
    },
    advance(ms: number) {
      now.wallMs += ms
      now.monoMs += ms
    },
  }
}

/** A gateway with a webhook whose silence is told after an hour. Its first run has ended. */
function watchWebhook(t: TestContext) {
  const { directory, now, start, advance } = openClocked(t)
  const first = start()
  const accountId = ask(first, 'gateway.first-start', {})?.accountId ?? ''
  const fields = { ...FIELDS, name: 'Backup', silentAfterMinutes: 60 }
  const { id } = ask(first, 'webhook.create', { accountId, fields })
  const device = { accountId, name: 'phone', protocol: 'roost', appVersion: null } as const
  ask(first, 'device.add', device)
  first.close()
  /** Starts after eight hours, and runs for some minutes. */
  const runFor = (minutes: number): Storage => {
    now.wallMs += 8 * 3_600_000
    const storage = start()
    for (let minute = 0; minute < minutes; minute += 1) {
      advance(60_000)
      storage.batch.run([])
    }
    return storage
  }
  return { runFor, texts: () => textsOf(directory, id) }
}

test('the silence of a webhook does not grow while the gateway is off', t => {
  const { runFor, texts } = watchWebhook(t)
  const seen = [30, 29, 3, 70].map(minutes => {
    runFor(minutes).close()
    return texts()
  })
  assert.deepEqual(seen, [0, 0, 1, 1])
})

test('it grows while an idle gateway runs, also if the power fails then', t => {
  const { runFor, texts } = watchWebhook(t)
  const seen = [30, 25, 4, 3].map(minutes => {
    // Nothing writes more when the power fails. The test only gives back the memory.
    const storage = runFor(minutes)
    t.after(() => storage.close())
    return texts()
  })
  assert.deepEqual(seen, [0, 0, 0, 1])
})

test('the time that the gateway is off is no time in which the target of notifications failed', t => {
  const { now, start, advance } = openClocked(t)
  let storage = start()
  const accountId = ask(storage, 'gateway.first-start', {})?.accountId ?? ''
  ask(storage, 'notification.set', { accountId, url: 'https://receiver.test/', events: NOTIFICATION_EVENTS })
  /** Returns whether notifications are still sent after one more failure. */
  const fail = (): boolean => {
    ask(storage, 'notification.test', { accountId })
    const { deliveries } = ask(storage, 'notification.exchange', { results: [], room: 9 })
    ask(storage, 'notification.exchange', { results: reports(deliveries, HUNG), room: 0 })
    return ask(storage, 'notification.find', { accountId }).enabled
  }
  for (let day = 0; day < 4; day += 1) {
    fail()
    advance(DAY_MS)
  }
  storage.close()
  now.wallMs += DAY_MS
  storage = start()
  assert.equal(fail(), true)
  advance(DAY_MS)
  assert.equal(fail(), false)
  storage.close()
})

function textsOf(directory: DataDirectory, webhookId: string): number {
  const database = new DatabaseSync(directory.database, { readOnly: true })
  const count = database.prepare('SELECT count(*) AS n FROM message WHERE webhook_id = ?').get(webhookId)
  database.close()
  return Number(count?.['n'])
}

function makeDirectory(t: TestContext): DataDirectory {
  const folder = temporaryDirectory(t)
  return dataDirectory(folder)
}

function open(directory: DataDirectory, now = () => NOW): Storage {
  return openStorage(directory, {
    settings: testSettings(),
    source: systemSource(new Uint8Array(32)),
    now,
    faulted: error => assert.fail(String(error)),
  })
}

function ask<N extends CommandName>(storage: Storage, name: N, input: CommandInput<N>): CommandOutput<N> {
  const [answer] = storage.batch.run([{ id: 0, name, input }]).answers
  assert.ok(answer?.ok === true)
  return answer.output as CommandOutput<N>
}

interface Found {
  readonly status: string
  readonly failure: string
  /** The types of the message's notifications, oldest first. */
  readonly events: readonly string[]
}

function look(directory: DataDirectory, messageId: string): Found {
  const database = new DatabaseSync(directory.database, { readOnly: true })
  try {
    const row = database.prepare('SELECT status, failure FROM message WHERE id = ?').get(messageId)
    const events = database
      .prepare('SELECT event FROM notification_delivery WHERE subject_id = ? ORDER BY seq')
      .all(messageId)
    return {
      status: String(row?.['status']),
      failure: String(row?.['failure']),
      events: events.map(({ event }) => String(event)),
    }
  } finally {
    database.close()
  }
}
