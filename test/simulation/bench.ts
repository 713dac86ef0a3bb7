/** One in-memory database that all trials reuse, with the owner's account and its paired phones. */
import type { StatementSync } from 'node:sqlite'
import type { CommandInput, CommandName, CommandOutput } from '#contracts/commands.ts'
import type { PolicyFields } from '#contracts/on-call.ts'
import type { LastRun } from '#domain/clock/believed-clock.ts'
import type { Settings } from '#domain/settings.ts'
import type { Source } from '#domain/source.ts'
import type { Now } from '#domain/time.ts'
import { Batch } from '#storage/batch.ts'
import { migrate } from '#storage/migrate.ts'
import { hash } from '#storage/source.ts'
import { DatabaseSync } from '#storage/sqlite.ts'
import { Random } from '#test/kit/random.ts'
import { seededSource } from '#test/kit/seeded-source.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'
import { testSettings } from '#test/kit/world.ts'

const ASKING_PHONES = 3
const TAKING_PHONES = 2

/** Prepares each statement only once, even when the gateway restarts on this database. */
class LastingDatabase extends DatabaseSync {
  readonly #prepared = new Map<string, StatementSync>()

  override prepare(sql: string): StatementSync {
    let statement = this.#prepared.get(sql)
    if (statement === undefined) {
      statement = super.prepare(sql)
      this.#prepared.set(sql, statement)
    }
    return statement
  }
}

/** The part of the mark of commits that holds the time. It outlives the process. */
export interface Mark {
  lastRun: LastRun | null
}

export class Bench {
  readonly database: DatabaseSync = new LastingDatabase(':memory:')
  readonly settings: Settings = testSettings()
  readonly accountId: string
  /** First the phones that ask before they send, then the phones that fetch messages. */
  readonly deviceIds: readonly string[]
  readonly asking = range(0, ASKING_PHONES)
  readonly taking = range(ASKING_PHONES, ASKING_PHONES + TAKING_PHONES)
  /** The token of each device before the first message. */
  readonly tokens: readonly string[]
  readonly plantedFault = new Error('a planted fault of storage')
  readonly diskFull = Object.assign(new Error('a planted full disk'), {
    code: 'ERR_SQLITE_ERROR',
    errcode: 13,
  })
  /** The error that the next commit fails with, once. */
  nextFault: Error | null = null
  #webhookToken: string | null = null

  constructor() {
    migrate(this.database)
    const batch = new Batch({
      database: this.database,
      settings: this.settings,
      source: seededSource(new Random(0)),
      now: () => ({ wallMs: 1_700_000_000_000, monoMs: 0 }),
      faulted: error => {
        throw error
      },
    })
    const owner = ask(batch, 'gateway.first-start', {})
    this.accountId = owner?.accountId ?? ''
    const paired = [...this.asking, ...this.taking].map(phone => {
      const protocol = this.asking.includes(phone) ? 'roost' : 'smsgate-cloud'
      const { code } = ask(batch, 'device.create-pairing', { accountId: this.accountId, name: null })
      return ask(batch, 'device.pair', { code, name: null, platform: null, appVersion: null, protocol })
    })
    this.deviceIds = paired.map(({ deviceId }) => deviceId)
    this.tokens = paired.map(({ token }) => token)
    this.#armFault()
  }

  /** The token of a webhook whose policy tells the first person, after 5 minutes the second, then both. */
  watchedWebhook(
    people: readonly (readonly [name: string, phoneNumber: string])[],
    policy: Pick<PolicyFields, 'rounds' | 'takenForMinutes'>,
  ): string {
    this.#webhookToken ??= this.#makeWebhook(people, policy)
    return this.#webhookToken
  }

  #makeWebhook(
    people: readonly (readonly [name: string, phoneNumber: string])[],
    policy: Pick<PolicyFields, 'rounds' | 'takenForMinutes'>,
  ): string {
    const { accountId } = this
    const batch = this.open(seededSource(new Random(1)), () => ({ wallMs: 1_700_000_000_000, monoMs: 0 }))
    const rest = { country: 'US', timeZone: null, quiet: null }
    const [first = '', second = ''] = people.map(([name, phoneNumber]) => {
      return ask(batch, 'person.create', { accountId, fields: { name, phoneNumber, ...rest } }).id
    })
    const steps = [[first], [second], ['everyone']].map((tell, at) => ({
      afterMinutes: at * 5,
      tell,
      ring: false,
    }))
    const { id } = ask(batch, 'policy.create', { accountId, fields: { name: 'Night', steps, ...policy } })
    const fields = { ...FIELDS, recipients: [], maxPerHour: 1000, policyId: id }
    return ask(batch, 'webhook.create', { accountId, fields }).token ?? ''
  }

  /** Restores the state before the first message. */
  reset(): void {
    this.nextFault = null
    this.database.exec(`
      DELETE FROM message; DELETE FROM idempotency; DELETE FROM usage_quarter; DELETE FROM received;
      DELETE FROM incident; DELETE FROM webhook_trigger; DELETE FROM webhook_storm;
      DELETE FROM webhook_seen; UPDATE webhook SET heard_at = NULL, silent_at = NULL, noticed_at = NULL;
      UPDATE clock SET seen_at = 0, held_ms = 0;
      UPDATE device SET announced_online = 0, paused = 0, last_seen_at = 0, sent_day = 0, sent_count = 0`)
    const renew = this.database.prepare('UPDATE device SET token_hash = ? WHERE id = ?')
    for (const phone of this.taking) renew.run(hash(this.tokens[phone] ?? ''), this.deviceIds[phone] ?? '')
  }

  /** Whether this token belongs to this phone. */
  opens(token: string, phone: number): boolean {
    const find = this.database.prepare('SELECT id FROM device WHERE token_hash = ?')
    return find.get(hash(token))?.['id'] === this.deviceIds[phone]
  }

  open(source: Source, now: () => Now, mark: Mark = { lastRun: null }): Batch {
    const { database, settings } = this
    const { lastRun } = mark
    const passed = (lastRun: LastRun) => {
      mark.lastRun = lastRun
    }
    return new Batch({ database, settings, source, now, lastRun, passed, faulted: () => {} })
  }

  /** Each writing transaction updates the commit count last, so a fault there rolls back everything. */
  #armFault(): void {
    this.database.function('fail_commit', () => {
      const fault = this.nextFault
      if (fault === null) return 0
      this.nextFault = null
      throw fault
    })
    this.database.exec(`
      CREATE TEMP TRIGGER fail_commit BEFORE UPDATE ON main.commit_count BEGIN SELECT fail_commit(); END`)
  }
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}

function ask<N extends CommandName>(batch: Batch, name: N, input: CommandInput<N>): CommandOutput<N> {
  const [answer] = batch.run([{ id: 0, name, input }]).answers
  if (!answer?.ok) throw new Error(`${name} was refused`)
  return answer.output as CommandOutput<N>
}
