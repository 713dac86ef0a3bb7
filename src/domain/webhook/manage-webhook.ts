import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import type { Issue } from '#contracts/problem.ts'
import type { WebhookResource } from '#contracts/webhook.ts'
import type { WebhookFields, WebhookReference } from '#contracts/webhook-commands.ts'
import { existingAccount } from '#domain/account/plan-of.ts'
import { checkDevice } from '#domain/device/check-device.ts'
import type { OnCallRows } from '#domain/on-call/on-call-store.ts'
import { checkBound, invalid, notFound } from '#domain/problem.ts'
import { describeWebhook, type WebhookSecrets } from '#domain/webhook/describe-webhook.ts'
import { mailAddressOf, tokenOfMail } from '#domain/webhook/mail-address.ts'
import { silenceFrom } from '#domain/webhook/silence.ts'
import { hintOf, NO_TRIGGERS, type Webhook } from '#domain/webhook/webhook.ts'
import type { TokenHashes } from '#domain/webhook/webhook-store.ts'
import type { World } from '#domain/world.ts'

/** @throws Problem NOT_FOUND, also for a webhook of another account */
export function findWebhook(world: World, { accountId, webhookId }: WebhookReference): Webhook {
  const webhook = world.webhooks.find(accountId, webhookId)
  if (webhook === undefined) throw notFound('webhook')
  return webhook
}

/** @throws Problem NOT_FOUND if the policy does not belong to the account */
function checkPolicy({ onCall }: World, accountId: string, policyId: string | null): void {
  if (policyId !== null && onCall.policy.find(accountId, policyId) === undefined) throw notFound('policy')
}

const NOBODY = 'must contain at least one phone number, or set people or policyId'

interface Hearers {
  readonly recipients: readonly unknown[]
  readonly people: readonly string[]
  readonly policyId: string | null
}

/**
 * What is wrong with those who hear of alerts: an id is no person and no group of the account, or nobody
 * hears of any.
 */
export function findHearerIssues(
  onCall: Pick<OnCallRows, 'person' | 'group'>,
  accountId: string,
  { recipients, people, policyId }: Hearers,
): Issue[] {
  const isKnown = (id: string) =>
    (id.startsWith('grp_') ? onCall.group.find(accountId, id) : onCall.person.find(accountId, id)) !==
    undefined
  if (recipients.length === 0 && people.length === 0 && policyId === null)
    return [{ path: 'recipients', message: NOBODY }]
  return people.flatMap((id, index) => {
    if (isKnown(id)) return []
    return [{ path: `people.${index}`, message: 'must be the id of a person (per_…) or a group (grp_…)' }]
  })
}

/** @throws Problem INVALID_REQUEST */
function checkHearers({ onCall }: World, accountId: string, hearers: Hearers): void {
  const issues = findHearerIssues(onCall, accountId, hearers)
  if (issues.length > 0) throw invalid(issues)
}

/**
 * Makes a webhook with its own token. Only this answer contains the token.
 *
 * @throws Problem NOT_FOUND (deviceId, policyId), INVALID_REQUEST (unknown people, or nobody would hear of
 * alerts), CONFLICT (too many), UNAUTHORIZED (the account was removed)
 */
export function createWebhook(
  world: World,
  { accountId, fields }: { readonly accountId: string; readonly fields: WebhookFields },
): WebhookResource {
  const { webhooks, source, now, tx } = world
  existingAccount(world, accountId)
  checkDevice(world, accountId, fields.deviceId)
  checkPolicy(world, accountId, fields.policyId)
  checkHearers(world, accountId, fields)
  checkBound(ACCOUNT_BOUNDS.webhooks, webhooks.list(accountId).length)
  const secrets = newSecrets(source)
  const webhook: Webhook = {
    ...fields,
    id: source.id('whk_', now.wallMs),
    accountId,
    tokenHint: hintOf(secrets.token),
    createdAt: now.wallMs,
    updatedAt: now.wallMs,
    counters: NO_TRIGGERS,
    held: null,
    readings: {},
    noticedAt: null,
    ...silenceFrom(fields, now.wallMs),
  }
  webhooks.insert(tx, webhook, secrets)
  startSilence(world, webhook)
  return describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: now.wallMs }, secrets)
}

/**
 * Changes the given fields and keeps the rest.
 *
 * @throws Problem NOT_FOUND (webhook, deviceId or policyId), INVALID_REQUEST (unknown people, or nobody would
 * hear of alerts)
 */
export function updateWebhook(
  world: World,
  input: WebhookReference & { readonly change: Partial<WebhookFields> },
): WebhookResource {
  const { webhooks, now } = world
  const known = findWebhook(world, input)
  const { change } = input
  if (change.deviceId !== undefined) checkDevice(world, input.accountId, change.deviceId)
  if (change.policyId !== undefined) checkPolicy(world, input.accountId, change.policyId)
  const webhook = { ...known, ...change, updatedAt: now.wallMs }
  checkHearers(world, input.accountId, webhook)
  webhooks.save(world.tx, webhook)
  const { silentAfterMinutes, enabled } = webhook
  if (silentAfterMinutes !== known.silentAfterMinutes || enabled !== known.enabled)
    startSilence(world, { ...webhook, ...silenceFrom(webhook, now.wallMs) })
  // What was gathered is told at once if nothing more is gathered.
  if (known.gather && !(webhook.gather && enabled)) world.deadlines.add(now.monoMs, 'storm', webhook.id)
  if (!webhook.keepLastBody) world.seenTriggers.forgetRequests(world.tx, webhook.id)
  // If the cap was raised, it may now allow the text about held-back alerts.
  if (webhook.held !== null) world.deadlines.add(now.monoMs, 'overflow', webhook.id)
  return describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: now.wallMs })
}

/**
 * Gives a webhook a new token. The old one is invalid from this transaction on, because the writer looks up
 * the token again when it accepts a trigger.
 *
 * @throws Problem NOT_FOUND
 */
export function rotateWebhook(world: World, which: WebhookReference): WebhookResource {
  const { webhooks, source, now } = world
  const known = findWebhook(world, which)
  const secrets = newSecrets(source)
  const webhook = { ...known, tokenHint: hintOf(secrets.token), updatedAt: now.wallMs }
  webhooks.saveToken(world.tx, webhook, secrets)
  return describeWebhook(webhook, { triggers: webhooks.triggers, wallMs: now.wallMs }, secrets)
}

/** A new token with its mail address. */
function newSecrets({ secret, hash }: World['source']): TokenHashes & WebhookSecrets {
  const token = secret('')
  const mailAddress = mailAddressOf(token, hash)
  return { token, mailAddress, tokenHash: hash(token), mailHash: hash(tokenOfMail(mailAddress)) }
}

function startSilence({ webhooks, tx, now, deadlines }: World, webhook: Webhook): void {
  webhooks.saveSilence(tx, webhook)
  const { id, silentAt } = webhook
  if (silentAt !== null) deadlines.add(now.monoMs + silentAt - now.wallMs, 'silence', id)
}
