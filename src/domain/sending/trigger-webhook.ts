import type { CommandInput } from '#contracts/commands.ts'
import type { SeenTrigger, TriggerOutcome } from '#contracts/seen-trigger.ts'
import type { TriggeredResource } from '#contracts/webhook.ts'
import type { TriggerWebhook, WebhookReference } from '#contracts/webhook-commands.ts'
import type { Message } from '#domain/message/message.ts'
import { notFound, type Problem } from '#domain/problem.ts'
import { gatherAlert, gatherQuietEnd } from '#domain/sending/gather-alert.ts'
import { holdBack, noteForSummary } from '#domain/sending/hold-back.ts'
import {
  incidentIdOf,
  openFor,
  opensIncident,
  reportOrOpen,
  reportToIncident,
  withoutHearers,
} from '#domain/sending/raise-incident.ts'
import { findRefusal, sendAlert } from '#domain/sending/send-alert.ts'
import { sendSummary } from '#domain/sending/summarize-overflow.ts'
import { hear } from '#domain/sending/watch-silence.ts'
import { dayOf } from '#domain/time.ts'
import { asTested } from '#domain/webhook/as-tested.ts'
import { describeRepeated } from '#domain/webhook/describe-webhook.ts'
import { findWebhook } from '#domain/webhook/manage-webhook.ts'
import { pruneTriggers } from '#domain/webhook/prune-triggers.ts'
import { resolvePeople } from '#domain/webhook/resolve-people.ts'
import { isToldBefore } from '#domain/webhook/storm.ts'
import {
  isFiltered,
  mailSpanAt,
  refusalOverCap,
  repeatSpanAt,
  windowAt,
} from '#domain/webhook/trigger-gate.ts'
import { type Webhook, withGuess } from '#domain/webhook/webhook.ts'
import type { World } from '#domain/world.ts'

/** An alert without the token: a sender names the webhook by the token, the owner's test by the id. */
export type AdmittedAlert = Omit<TriggerWebhook, 'tokenHash'>

/**
 * Accepts an alert for every recipient, or for none. The token is looked up again, because it may have been
 * rotated since the listener checked it. A repeated request gets the messages of the first request. If the
 * cap held alerts back, their summary is sent before this alert. A webhook that gathers may tell the alert
 * later, with others, and no limit refuses it.
 *
 * @throws Problem NOT_FOUND, RATE_LIMIT_EXCEEDED (cap, the day's quota), NO_DEVICE_AVAILABLE (the account has
 * no phone), SERVICE_UNAVAILABLE (too many open messages)
 */
export function triggerWebhook(world: World, input: TriggerWebhook): TriggeredResource {
  const found = world.webhooks.byToken(input.tokenHash)
  if (found === undefined || !found.enabled) throw notFound('webhook')
  hear(world, found)
  return acceptAlert(world, resolvePeople(world, found), input)
}

/**
 * Accepts the owner's own test of a webhook. It counts like an alert of a sender, but is never held back
 * and never a guess.
 *
 * @throws Problem as `triggerWebhook`; CONFLICT when the webhook is disabled
 */
export function testWebhook(world: World, input: WebhookReference & AdmittedAlert): TriggeredResource {
  const webhook = resolvePeople(world, findWebhook(world, input))
  return acceptAlert(world, asTested(webhook), { ...input, guess: false })
}

function acceptAlert(world: World, found: Webhook, input: AdmittedAlert): TriggeredResource {
  const { webhooks, now } = world
  pruneTriggers(world, found.id)
  const { mailHash = null } = input
  if (mailHash !== null && webhooks.triggers.hasMail(found.id, mailHash, mailSpanAt(now.wallMs))) {
    note(world, found, { ...input, outcome: 'DUPLICATE' })
    return describeRepeated([], null)
  }
  const repeated = webhooks.triggers.firstOf(found.id, input.requestHash, repeatSpanAt(now.wallMs))
  if (repeated !== undefined) {
    note(world, found, { ...input, outcome: 'DUPLICATE' })
    return describeRepeated(findMessages(world, repeated.messageIds), repeated.incidentId)
  }
  const webhook = sendHeldSummary(world, found)
  if (webhook.gather && input.sendAt == null) return acceptInStorm(world, webhook, input)
  if (webhook.policyId !== null) return acceptForIncident(world, webhook, { ...input, sendAt: null })
  admit(world, webhook, input)
  return sendNow(world, webhook, { input, incidentId: null })
}

/**
 * Accepts an alert of a webhook with a policy. What joins or ends an incident does so whatever a limit says.
 * The cap may refuse what opens one, or has recipients; the day's quota only keeps it from the recipients.
 */
function acceptForIncident(world: World, webhook: Webhook, input: AdmittedAlert): TriggeredResource {
  const isQuiet = isFiltered(webhook, input.facts)
  const alert = { facts: input.facts, text: input.text, guess: isGuess(input), isAloud: !isQuiet }
  const known = reportToIncident(world, webhook, alert)
  if (isQuiet) return leaveOut(world, webhook, { input, incidentId: known?.id ?? null })
  const isOver = input.facts.state === 'recovered'
  const isEnd = isOver && known !== null
  const opens = known === null && opensIncident(input.facts)
  if (opens || (!isEnd && withoutHearers(webhook, known).recipients.length > 0)) admit(world, webhook, input)
  const report = known ?? openFor(world, webhook, alert)
  const others = withoutHearers(webhook, report)
  const isOverCap = isEnd && refusalOverCap(webhook, world.webhooks.triggers, world.now.wallMs) !== null
  const canText = !isOverCap && findRefusal(world, others) === null
  const heard = canText ? others : { ...others, recipients: [] }
  const isFree = !opens && heard.recipients.length === 0
  const isHeld = isOverCap && others.recipients.length > 0
  if (isHeld) holdAlert(world, webhook, input)
  return sendNow(world, heard, { input, incidentId: report?.id ?? null, isFree, isHeld })
}

/** Lets the summary tell an alert. */
function holdAlert(world: World, webhook: Webhook, { text, requestHash, facts }: AdmittedAlert): void {
  holdBack(world, webhook, { count: 1, text, requestHash, facts: [facts] })
}

/** Answers an alert about which the recipients want no text. It may have ended an incident. */
function leaveOut(world: World, webhook: Webhook, { input, incidentId }: Accepted): TriggeredResource {
  note(world, webhook, { ...input, outcome: 'FILTERED' })
  const untriggered = { triggered: false, reason: 'FILTERED', duplicate: false, gathered: false } as const
  return { ...untriggered, message: input.text, messages: [], incidentId }
}

/** Accepts an alert of a webhook that gathers. If a limit allows no text now, a later text tells it. */
function acceptInStorm(world: World, webhook: Webhook, input: AdmittedAlert): TriggeredResource {
  const { facts, text, requestHash } = input
  const tellIncident = (isAloud: boolean) => {
    if (webhook.policyId === null) return null
    return reportOrOpen(world, webhook, { facts, text, guess: isGuess(input), isAloud })
  }
  // What only ends a problem needs no phone.
  const isQuiet = isFiltered(webhook, facts)
  const refusal = isQuiet && facts.state === 'recovered' ? null : findRefusal(world, webhook)
  if (refusal !== null && refusal.code !== 'RATE_LIMIT_EXCEEDED')
    throw refuse(world, webhook, { input, refusal })
  if (isQuiet) {
    gatherQuietEnd(world, webhook, facts)
    return leaveOut(world, webhook, { input, incidentId: tellIncident(false)?.id ?? null })
  }
  const alert = { ...facts, text, requestHash }
  const way = gatherAlert(world, webhook, { alert, hasQuota: refusal === null })
  if (way === 'at-once') {
    const report = tellIncident(true)
    return sendNow(world, withoutHearers(webhook, report), { input, incidentId: report?.id ?? null })
  }
  const duplicate = way === 'repeat'
  // The next text of the storm does not name what it has told, so the incident does.
  const storm = world.webhooks.storm(webhook.id, 'gathered')
  const isTold = storm !== undefined && isToldBefore(storm, alert)
  const incidentId = duplicate ? incidentIdOf(world, webhook, facts) : (tellIncident(isTold)?.id ?? null)
  note(world, webhook, { ...input, outcome: duplicate ? 'DUPLICATE' : 'GATHERED' })
  return { triggered: true, reason: null, duplicate, gathered: true, message: text, messages: [], incidentId }
}

/** An alert, and what became of it. */
interface Accepted {
  readonly input: AdmittedAlert
  /** The incident that it opened, joined or ended. */
  readonly incidentId: string | null
  readonly isFree?: boolean
  /** Whether a summary will tell it. */
  readonly isHeld?: boolean
}

function sendNow(world: World, webhook: Webhook, accepted: Accepted): TriggeredResource {
  const { input, incidentId, isFree = false, isHeld = false } = accepted
  const guess = isGuess(input)
  const about = { sendAt: input.sendAt ?? null, thing: input.facts.key }
  const messages = sendAlert(world, webhook, { ...input, ...about, incidentId, isFree, guess })
  if (guess)
    world.webhooks.saveGuesses(world.tx, webhook.id, withGuess(webhook.counters, dayOf(world.now.wallMs)))
  if (!webhook.gather && !isHeld) {
    const { facts, text, requestHash } = input
    noteForSummary(world, webhook, { ...facts, text, requestHash })
  }
  note(world, webhook, { ...input, outcome: 'TRIGGERED' })
  const triggered = { triggered: true, reason: null, duplicate: false, gathered: false } as const
  return { ...triggered, message: input.text, messages, incidentId }
}

/** The owner's own words are no guess, whatever their template leaves to Roost. */
function isGuess({ guess, format }: AdmittedAlert): boolean {
  return guess && format !== 'template'
}

/**
 * Runs all checks that can refuse the alert for any recipient, before the first is texted. Records a refusal
 * for the owner.
 */
function admit(world: World, webhook: Webhook, input: AdmittedAlert): void {
  const refusal = refusalOverCap(webhook, world.webhooks.triggers, world.now.wallMs)
  if (refusal !== null) {
    note(world, webhook, { ...input, outcome: 'OVER_CAP' })
    holdAlert(world, webhook, input)
    throw countRefusal(world, webhook, refusal)
  }
  const other = findRefusal(world, webhook)
  const isQuota = other?.code === 'RATE_LIMIT_EXCEEDED'
  if (other !== null && !(isQuota && webhook.policyId !== null))
    throw refuse(world, webhook, { input, refusal: other })
}

/** Records a refusal that is not by the cap. */
function refuse(
  world: World,
  webhook: Webhook,
  { input, refusal }: { readonly input: AdmittedAlert; readonly refusal: Problem },
): Problem {
  if (refusal.code === 'NO_DEVICE_AVAILABLE') note(world, webhook, { ...input, outcome: 'NO_DEVICE' })
  if (refusal.code !== 'RATE_LIMIT_EXCEEDED') return refusal
  note(world, webhook, { ...input, outcome: 'OVER_QUOTA' })
  return countRefusal(world, webhook, refusal)
}

/** Sends the summary of the held-back alerts if the cap allows it. Returns the webhook as it is then. */
function sendHeldSummary(world: World, webhook: Webhook): Webhook {
  const { webhooks, now } = world
  if (webhook.held === null || refusalOverCap(webhook, webhooks.triggers, now.wallMs) !== null) return webhook
  return sendSummary(world, webhook) ? { ...webhook, held: null } : webhook
}

/** Writes the triggers that listeners refused or filtered. A webhook removed meanwhile is skipped. */
export function noteTriggers(world: World, { notes }: CommandInput<'webhook.note'>): null {
  const { webhooks, tx } = world
  for (const { webhookId, rejected, held, seen, passed = [], isHeard } of notes) {
    const webhook = webhooks.get(webhookId)
    if (webhook === undefined) continue
    if (isHeard) hear(world, webhook)
    if (rejected > 0) webhooks.reject(tx, webhookId, rejected)
    if (held !== null) holdBack(world, webhook, held)
    if (passed.length > 0) pruneTriggers(world, webhookId)
    for (const request of passed) webhooks.pass(tx, webhookId, request)
    recordTriggers(world, webhook, seen)
  }
  return null
}

/**
 * Counts a refusal. Some writes come before a refusal and are committed with it: this count, the notes for
 * the owner, the removal of old triggers, and alerts that are held back or summarized.
 */
function countRefusal(world: Pick<World, 'webhooks' | 'tx'>, webhook: Webhook, problem: Problem): Problem {
  world.webhooks.reject(world.tx, webhook.id, 1)
  return problem
}

/** Records the trigger for the owner. */
function note(
  world: World,
  webhook: Webhook,
  input: AdmittedAlert & { readonly outcome: TriggerOutcome },
): void {
  const { address, outcome, format, text: message, guess, shape, kept } = input
  const at = world.now.wallMs
  const { requestHash, facts } = input
  // What was refused does not count, because no reader heard of it.
  if (outcome === 'FILTERED' || outcome === 'GATHERED')
    world.webhooks.pass(world.tx, webhook.id, { at, requestHash, thing: facts.key })
  const isTaken = outcome !== 'NO_DEVICE' && outcome !== 'OVER_QUOTA'
  const { mailHash } = input
  if (mailHash && isTaken) world.webhooks.noteMail(world.tx, webhook.id, { mailHash, ...mailSpanAt(at) })
  recordTriggers(world, webhook, [{ at, address, outcome, format, message, guess, shape, kept }])
}

function findMessages(world: Pick<World, 'messages' | 'tx'>, ids: readonly string[]): readonly Message[] {
  return ids.flatMap(id => world.messages.find(world.tx, id) ?? [])
}

/**
 * Stores triggers, so that the webhook's owner can see them. Logs the address of an accepted trigger if no
 * stored, accepted trigger came from it. Logs, at most once an hour, that the cap refused a trigger.
 */
function recordTriggers(world: World, webhook: Webhook, seen: readonly SeenTrigger[]): void {
  const { seenTriggers, tx, now, effects } = world
  const { id: webhookId, name, maxPerHour } = webhook
  for (const { outcome, address } of seen) {
    if (outcome !== 'TRIGGERED' || seenTriggers.hasTriggered(webhookId, address)) continue
    const fields = { webhookId, name, address }
    effects.push({ kind: 'log', level: 'info', event: 'webhook.new_address', fields })
  }
  const isOverCap = seen.some(({ outcome }) => outcome === 'OVER_CAP')
  if (isOverCap && !seenTriggers.wasOverCap(webhookId, windowAt(now.wallMs).since)) {
    const fields = { webhookId, name, maxPerHour }
    effects.push({ kind: 'log', level: 'warn', event: 'webhook.over_cap', fields })
  }
  // The owner may have switched it off since the listener read the webhook.
  const kept = webhook.keepLastBody ? seen : seen.map(one => ({ ...one, kept: null }))
  seenTriggers.add(tx, webhookId, kept)
}
