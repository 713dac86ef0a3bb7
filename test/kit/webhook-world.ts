import type { AlertFacts } from '#contracts/alert-reading.ts'
import type { WebhookFields } from '#contracts/webhook-commands.ts'
import { Problem } from '#domain/problem.ts'
import { hash } from '#storage/source.ts'
import { TestWorld } from '#test/kit/world.ts'

/** Default fields of a webhook: nothing is filtered, and no summary of refused alerts is sent. */
export const FIELDS: WebhookFields = {
  name: 'alerts',
  recipients: [{ phoneNumber: '+14155550123', country: 'US' }],
  people: [],
  maxPerHour: 3,
  messageTemplate: null,
  allowedIps: [],
  deviceId: null,
  enabled: true,
  minSeverity: null,
  sendRecovered: true,
  summarizeOverflow: false,
  keepLastBody: true,
  gather: false,
  policyId: null,
  silentAfterMinutes: null,
}

/** What a trigger says whose request was neither read nor kept. */
export const NOT_READ = { guess: false, shape: null, kept: null }

/** What an alert says that names nothing. */
export const NO_FACTS: AlertFacts = { key: null, subject: null, state: null, severity: null, isUrgent: false }

/** A gateway with a phone and a webhook. `trigger` sends a request to the webhook. */
export function startWebhook(fields: Partial<WebhookFields> = {}, plan = 'pro', world = new TestWorld()) {
  const { accountId } = world.ask('account.create', { email: 'a@example.org', plan, passwordHash: null })
  const pair = () => {
    const { code } = world.ask('device.create-pairing', { accountId, name: null })
    return world.ask('device.pair', { code, name: null, platform: null, appVersion: null }).deviceId
  }
  const deviceId = pair()
  const webhook = world.ask('webhook.create', { accountId, fields: { ...FIELDS, ...fields } })
  const token = webhook.token ?? ''
  let current = token
  let alerts = 0
  const triggerAt = (token: string, request: string, { guess = false, facts = NO_FACTS } = {}) => {
    const hashes = { tokenHash: hash(token), requestHash: hash(request) }
    const text = { text: request, segments: 1, encoding: 'GSM-7', format: 'generic' } as const
    const kept = { contentType: null, body: request, headers: {}, fields: [], confirmationUrl: null }
    const read = { guess, shape: null, kept, facts }
    return world.ask('webhook.trigger', { ...hashes, ...text, address: '192.0.2.1', ...read })
  }
  const ids = { accountId, webhookId: webhook.id }
  return {
    world,
    accountId,
    deviceId,
    ids,
    pair,
    token,
    triggerAt,
    trigger: (request = `request ${++alerts}`, facts = NO_FACTS) => triggerAt(current, request, { facts }),
    rotate() {
      current = world.ask('webhook.rotate', ids).token ?? ''
    },
    usage: () => world.ask('webhook.update', { ...ids, change: {} }).usage,
    /** The texts of all messages, oldest first. */
    texts: () =>
      world.database
        .prepare('SELECT text FROM message ORDER BY serial')
        .all()
        .map(row => String(row['text'])),
    /** Counts the rows of a table. */
    rows: (table: string) =>
      Number(world.database.prepare(`SELECT count(*) AS n FROM ${table}`).get()?.['n']),
  }
}

/** The problem with which the action is refused. */
export function refusal(action: () => unknown): Problem {
  try {
    action()
  } catch (error) {
    if (error instanceof Problem) return error
    throw error
  }
  throw new Error('nothing was refused')
}
