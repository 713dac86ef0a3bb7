/**
 * Handles a request to a webhook, in the format of any API. A request may contain anything, but its only
 * effect is a text to the recipients that the owner chose. Checks come before rendering, so that only alerts
 * that may be sent use the pool.
 */
import type { RenderedAlert } from '#contracts/alert-reading.ts'
import type { Writer } from '#contracts/commands.ts'
import type { SeenTrigger } from '#contracts/seen-trigger.ts'
import type { TriggeredResource, TriggerRequest } from '#contracts/webhook.ts'
import type { Plan as AccountPlan } from '#domain/account/plan.ts'
import type { MessageReader } from '#domain/message/message-reader.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { formatAddress } from '#domain/network/address.ts'
import { limitReached, notFound, Problem } from '#domain/problem.ts'
import type { RateLimiter } from '#domain/rate-limit/rate-limiter.ts'
import type { AdmittedAlert } from '#domain/sending/trigger-webhook.ts'
import { Allowlists } from '#domain/webhook/allowlists.ts'
import { asTested } from '#domain/webhook/as-tested.ts'
import { describeRepeated } from '#domain/webhook/describe-webhook.ts'
import { mustHear } from '#domain/webhook/silence.ts'
import { isFiltered, mailSpanAt, refusalOverCap, repeatSpanAt } from '#domain/webhook/trigger-gate.ts'
import type { Webhook } from '#domain/webhook/webhook.ts'
import type { WebhookReader } from '#domain/webhook/webhook-store.ts'
import { hashOf } from '#transport/http/authenticate.ts'
import { isPacked } from '#transport/http/decode-body.ts'
import { keepReading } from '#transport/http/keep-request.ts'
import type { RenderAlert } from '#transport/http/render-in-pool.ts'
import type { AuthorizedCall, Head } from '#transport/http/route.ts'
import { factsOf, type TriggerJournal } from '#transport/http/trigger-journal.ts'
import { hashRequest, withoutSecret } from '#transport/http/trigger-request.ts'

/** Wrong webhook tokens from one address; with more, its calls are refused. */
export const WRONG_TOKENS_PER_MINUTE = 30

export interface TriggerPorts {
  readonly writer: Writer
  readonly webhooks: WebhookReader
  readonly messages: Pick<MessageReader, 'find'>
  readonly limiter: RateLimiter
  readonly plan: (name: string) => AccountPlan
  readonly render: RenderAlert
  readonly journal: TriggerJournal
  /** Longest body at the address of a webhook, bytes. */
  readonly bodyBytesMax: () => number
  readonly wallMs: () => number
}

interface Ports extends TriggerPorts {
  readonly allowlists: Allowlists
}

const TOKEN = /^[0-9A-Za-z]{32,64}$/
/** Packed bodies at one webhook. Few senders pack, and a webhook has at most a thousand texts an hour. */
const PACKED_PER_MINUTE_MAX = 60

/** What a webhook needs to know of a call. */
export type TriggerHead = Pick<Head, 'method' | 'rawQuery' | 'header' | 'client' | 'showRate' | 'limitBody'>

/** Triggers webhooks, for all APIs. */
export interface Triggers {
  /**
   * Finds the webhook of a token, and returns the function that triggers it.
   *
   * @throws Problem NOT_FOUND, RATE_LIMIT_EXCEEDED
   */
  admit(head: TriggerHead, token: string): Trigger
  /**
   * Triggers a webhook with a test alert for its owner, from any address.
   *
   * @throws Problem as `trigger`; CONFLICT when the webhook is disabled
   */
  test(call: AuthorizedCall): Promise<TriggeredResource>
}

export function openTriggers(given: TriggerPorts): Triggers {
  const ports = { ...given, allowlists: new Allowlists() }
  return {
    admit: (head, token) => admit(ports, head, token),
    test: call => test(ports, call),
  }
}

/** The answer to a request without an alert. */
const NO_ALERT: TriggeredResource = {
  triggered: false,
  reason: 'EMPTY',
  duplicate: false,
  gathered: false,
  message: null,
  messages: [],
  incidentId: null,
}

/** Triggers a webhook. @throws Problem FORBIDDEN, RATE_LIMIT_EXCEEDED, NO_DEVICE_AVAILABLE, … */
export type Trigger = ((request: TriggerRequest, plan?: Plan) => Promise<TriggeredResource>) & {
  readonly accountId: string
  readonly webhookName: string
  /** Whether an alert may be texted later. What tells an incident or a storm must be told at once. */
  readonly canPlan: boolean
}

interface Plan {
  /** Wall-clock milliseconds; null: at once. */
  readonly sendAt: number | null
  /** As the sender wrote it. Requests that differ only in it are no repeats. */
  readonly written: string
  /** What makes the mail that it came by; absent: it did not, or that mail may be any. */
  readonly mailHash?: Uint8Array | null
}

const AT_ONCE: Plan = { sendAt: null, written: '' }

function admit(ports: Ports, head: TriggerHead, token: string): Trigger {
  const { webhook, tokenHash } = findByToken(ports, head, token)
  showAccountRate(ports, head, webhook)
  if (isPacked(head.header('content-encoding'))) countPacked(ports, head, webhook)
  head.limitBody(ports.bodyBytesMax(), webhook.accountId)
  const run = async (given: TriggerRequest, { sendAt, written, mailHash = null } = AT_ONCE) => {
    const request = withoutSecret(given, token)
    const requestHash = hashRequest(request, written)
    const context: TriggerContext = { ports, head, webhook, request, requestHash, mailHash }
    if (!ports.allowlists.allows(webhook, head.client().address)) {
      await noteTrigger(context, { outcome: 'ADDRESS_NOT_ALLOWED', isRejected: true })
      throw new Problem('FORBIDDEN', 'your IP address is not in allowedIps of the webhook')
    }
    if (head.method === 'head' || (given.method === 'GET' && given.query === '')) {
      if (mustHear(webhook, ports.wallMs())) await ports.journal.hear(webhook)
      return NO_ALERT
    }
    return sendNew(context, admitted =>
      ports.writer.ask('webhook.trigger', { ...admitted, tokenHash, sendAt, mailHash }),
    )
  }
  const { accountId, name, policyId, gather } = webhook
  const isFull = gather && refusalOverCap(webhook, ports.webhooks.triggers, ports.wallMs()) !== null
  return Object.assign(run, { accountId, webhookName: name, canPlan: policyId === null && !isFull })
}

/** Counts a packed body, because a few bytes may take milliseconds to unpack. @throws Problem */
function countPacked({ limiter }: Ports, head: TriggerHead, { id }: Webhook): void {
  const rate = limiter.take('address', `packed ${id}`, PACKED_PER_MINUTE_MAX)
  if (rate.allowed) return
  head.showRate(rate)
  throw limitReached(`more than ${rate.limit} packed bodies a minute: send the body without packing`, rate)
}

async function test(ports: Ports, call: AuthorizedCall): Promise<TriggeredResource> {
  const { accountId } = call.principal
  const found = ports.webhooks.find(accountId, call.parameters[0] ?? '')
  if (found === undefined) throw notFound('webhook')
  const webhook = asTested(found)
  const request = testRequest(webhook)
  const context = { ports, head: call, webhook, request, requestHash: hashRequest(request) }
  const which = { accountId, webhookId: found.id }
  return sendNew(context, admitted => ports.writer.ask('webhook.test', { ...admitted, ...which }, call.by))
}

/** What a sender would post to say that it only tests the webhook. */
function testRequest({ name }: Webhook): TriggerRequest {
  const body = new TextEncoder().encode(
    JSON.stringify({ status: 'test', message: `Hello from the webhook ${name}` }),
  )
  return { method: 'POST', query: '', contentType: 'application/json', headers: {}, body }
}

/** Hands an alert on to the writer. */
type Submit = (alert: AdmittedAlert) => Promise<TriggeredResource>

/** Sends an alert, unless the same request came a moment ago. */
async function sendNew(context: TriggerContext, submit: Submit): Promise<TriggeredResource> {
  const repeated = findRepeated(context)
  if (repeated === null) return sendAlert(context, submit)
  await noteTrigger(context, { outcome: 'DUPLICATE', message: repeated.message })
  return repeated
}

/** A request to an existing webhook, with everything that is needed to handle it. */
interface TriggerContext {
  readonly ports: Ports
  readonly head: TriggerHead
  readonly webhook: Webhook
  readonly request: TriggerRequest
  readonly requestHash: Uint8Array
  readonly mailHash?: Uint8Array | null
}

async function sendAlert(context: TriggerContext, submit: Submit): Promise<TriggeredResource> {
  const { ports, head, webhook, request, requestHash } = context
  const { triggers } = ports.webhooks
  // An alert that joins or ends an incident is never refused, which only the writer can tell.
  const isNeverRefused = webhook.gather || webhook.policyId !== null
  const capRefusal = isNeverRefused ? null : refusalOverCap(webhook, triggers, ports.wallMs())
  const hasFilter = webhook.minSeverity !== null || !webhook.sendRecovered
  // Over `maxPerHour`, an alert is rendered only if a filter needs its severity or state.
  const isRead = capRefusal === null || hasFilter
  const rendered = isRead ? await ports.render(request, webhook, head.client().bucketKey) : null
  // It may end an incident, or a thing of a storm.
  const isEnd = (webhook.policyId !== null || webhook.gather) && rendered?.state === 'recovered'
  if (rendered !== null && !isEnd && isFiltered(webhook, rendered)) {
    const { message } = rendered
    await noteTrigger(context, { ...rendered, outcome: 'FILTERED', isRead: true })
    return { ...NO_ALERT, reason: 'FILTERED', message }
  }
  if (capRefusal !== null || rendered === null) {
    await noteTrigger(context, { ...rendered, outcome: 'OVER_CAP', isRejected: true })
    throw capRefusal
  }
  const { message: text, format, reading } = rendered
  const address = formatAddress(head.client().address)
  const read = keepReading(webhook, request, reading)
  const alert = { requestHash, text, ...segmentsOf(text), format, facts: factsOf(rendered), address }
  return submit({ ...alert, ...read })
}

interface Note
  extends Pick<SeenTrigger, 'outcome'>,
    Partial<Pick<SeenTrigger, 'message'> & Pick<RenderedAlert, 'format' | 'reading'>> {
  readonly isRejected?: true
  readonly isRead?: true
}

/** Records a trigger that the listener answers without the writer. */
function noteTrigger(context: TriggerContext, note: Note): Promise<void> {
  const { ports, head, webhook, request, requestHash } = context
  const { outcome, message = null, format = null, reading = null, isRejected = false, isRead = false } = note
  const at = ports.wallMs()
  const address = formatAddress(head.client().address)
  return ports.journal.note(webhook, {
    seen: { at, address, outcome, format, message, ...keepReading(webhook, request, reading) },
    isRejected,
    ...(isRead && { passed: { at, requestHash, thing: reading?.key ?? null } }),
    held: outcome === 'OVER_CAP' ? { request, requestHash } : null,
  })
}

/**
 * Finds an enabled webhook. Wrong tokens are counted by address, but a right token always passes. The token
 * of a disabled webhook does not count as wrong, so that its sender does not block others at the same
 * address.
 */
function findByToken(ports: Ports, head: TriggerHead, token: string) {
  const tokenHash = hashOf(token)
  const webhook = readWebhook(ports, token)
  if (webhook?.enabled === true) return { webhook, tokenHash }
  if (webhook !== undefined) throw notFound('webhook')
  const key = `webhook ${head.client().bucketKey}`
  const rate = ports.limiter.take('address', key, WRONG_TOKENS_PER_MINUTE)
  head.showRate(rate)
  if (rate.allowed) throw notFound('webhook')
  throw limitReached(`more than ${rate.limit} wrong webhook addresses a minute: check the address`, rate)
}

function readWebhook({ webhooks }: TriggerPorts, token: string): Webhook | undefined {
  return TOKEN.test(token) ? webhooks.byToken(hashOf(token)) : undefined
}

/** Shows the account's rate limit in the answer. A trigger does not count towards it. */
function showAccountRate(ports: Ports, head: TriggerHead, { accountId }: Webhook): void {
  const plan = ports.webhooks.planOf(accountId)
  if (plan === undefined) return
  head.showRate(ports.limiter.peek('account', accountId, ports.plan(plan).callsPerMinute))
}

/** The first answer, if this request is a repetition; null: it is not. */
function findRepeated(context: TriggerContext): TriggeredResource | null {
  const { ports, webhook, requestHash, mailHash } = context
  const { triggers } = ports.webhooks
  const wallMs = ports.wallMs()
  const isKnownMail = mailHash && triggers.hasMail(webhook.id, mailHash, mailSpanAt(wallMs))
  if (isKnownMail) return describeRepeated([], null)
  const first = triggers.firstOf(webhook.id, requestHash, repeatSpanAt(wallMs))
  if (first === undefined) return null
  const messages = first.messageIds.flatMap(id => ports.messages.find(webhook.accountId, false, id) ?? [])
  return describeRepeated(messages, first.incidentId)
}
