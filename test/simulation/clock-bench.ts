/** The gateway of the trials about time: a phone, people, and three webhooks. All trials use it in turn. */
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import type { DatabaseSync } from '#storage/sqlite.ts'
import { startIncidents } from '#test/kit/incident-world.ts'
import { FIELDS } from '#test/kit/webhook-world.ts'

/** The true time at which each trial begins. */
export const START_MS = Date.UTC(2026, 0, 15, 12)
const EMPTIED =
  'message idempotency usage_quarter received incident webhook_trigger webhook_storm webhook_seen audit ' +
  'notification_delivery phone_history alarm alarm_text'

/** Prepares each statement once, because restarts prepare hundreds. */
function keepStatements(database: DatabaseSync): void {
  const prepare = database.prepare.bind(database)
  const known = new Map<string, ReturnType<typeof prepare>>()
  database.prepare = sql => {
    const statement = known.get(sql) ?? prepare(sql)
    known.set(sql, statement)
    return statement
  }
}

/** A gateway that all trials use, one after the other. */
export class ClockBench {
  readonly kit = startIncidents({
    steps: [
      [0, ['ada']],
      [5, ['bob']],
      [10, ['eve']],
    ],
  })
  readonly tokens: { readonly storm: string; readonly silence: string }
  readonly silentId: string

  constructor() {
    const { world, accountId } = this.kit
    keepStatements(world.database)
    const make = (fields: Partial<WebhookFields>) =>
      world.ask('webhook.create', { accountId, fields: { ...FIELDS, maxPerHour: 50, ...fields } })
    const silence = make({ name: 'Backup' })
    this.silentId = silence.id
    this.tokens = { storm: make({ gather: true }).token ?? '', silence: silence.token ?? '' }
  }

  reset(): void {
    const { world } = this.kit
    world.database.exec(
      EMPTIED.split(' ')
        .map(table => `DELETE FROM ${table};`)
        .join(' '),
    )
    world.database.exec(`
      UPDATE webhook SET heard_at = NULL, silent_at = NULL, noticed_at = NULL, silent_after_minutes = NULL;
      UPDATE clock SET seen_at = 0, held_ms = 0;
      UPDATE device SET announced_online = 0, last_seen_at = 0, paired_at = 0, sent_day = 0, sent_count = 0,
        segment_days = '[]'`)
    world.wallMs = START_MS
    world.monoMs = 1_000_000
    world.lastRun = null
    world.faults.length = 0
    world.restart()
  }
}
