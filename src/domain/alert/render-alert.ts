/*
 * Turns what a sender posts into one short text. JSON inside a message field is unwrapped first. Then these
 * are tried in order, until one makes a text:
 * 1. the webhook's own template
 * 2. the first of `SENDERS` that knows the body
 * 3. the same for a chat message, with its parts joined
 * 4. a guess by common field names, of the body or of the items of a list in it
 * 5. the scalar fields as `name=value`
 */
import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import type { RenderedAlert, TriggerRequest } from '#contracts/webhook.ts'
import { Body } from '#domain/alert/body.ts'
import { compose, type Report } from '#domain/alert/compose.ts'
import { fillTemplate } from '#domain/alert/fill-template.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { guessList } from '#domain/alert/guess/guess-list.ts'
import { guessReport } from '#domain/alert/guess/guess-report.ts'
import { readCard } from '#domain/alert/guess/read-card.ts'
import { isObject, type Json, pruneJson, recordOf } from '#domain/alert/read/json-value.ts'
import { type Payload, readPayload } from '#domain/alert/read/read-payload.ts'
import { readUrgency } from '#domain/alert/read/read-urgency.ts'
import { unwrapPayload } from '#domain/alert/read/unwrap-payload.ts'
import { readReport } from '#domain/alert/sender.ts'
import { SENDERS } from '#domain/alert/senders.ts'
import { cutText, oneLine } from '#domain/alert/text/cut-text.ts'
import { alertStateOf, severityOf } from '#domain/alert/vocabulary/states.ts'

/** The text for a request without any readable content. */
const EMPTY_ALERT = 'ALERT without details'

/** The text of a request to a webhook. Never throws, whatever was sent. */
export function renderAlert(request: TriggerRequest, template: string | null): RenderedAlert {
  return renderPayload(readPayload(request), template)
}

/** The text of a parsed JSON value: the same as for a request with this JSON as its body. */
export function renderPreview(payload: unknown, template: string | null): RenderedAlert {
  const value = pruneJson(payload)
  const isBare = typeof value !== 'object' && value !== null
  return renderPayload(
    { value: isBare ? recordOf([['message', String(value)]]) : value, headers: {} },
    template,
  )
}

function renderPayload(payload: Payload, template: string | null): RenderedAlert {
  const automatic = renderAutomatically(payload)
  const filled = template === null ? '' : cutText(fillTemplate(template, payload.value))
  return filled === '' ? automatic : { ...automatic, message: filled, format: 'template' }
}

/**
 * The bodies that are matched against `SENDERS`: the request's and, for a chat message, one made of its
 * parts.
 */
export function bodiesToMatch(request: TriggerRequest): readonly Body[] {
  const body = bodyOf(readPayload(request))
  const card = readCard(body.value)
  return card === null ? [body] : [body, new Body({ value: card.forSenders, headers: body.headers })]
}

function bodyOf({ value, headers }: Payload): Body {
  return new Body({ value: asRecord(unwrapPayload(value)), headers })
}

function renderAutomatically(payload: Payload): RenderedAlert {
  const body = bodyOf(payload)
  const rendered =
    trySenders(body) ?? renderCard(body) ?? renderReport(guessReport(body) ?? guessList(body), body)
  if (rendered !== null) return rendered
  const digest = cutText(digestPairs(body.value).join(' '))
  return {
    message: digest || lastResort(body.value),
    format: 'digest',
    severity: readUrgency(body),
    state: null,
  }
}

function renderCard(body: Body): RenderedAlert | null {
  const card = readCard(body.value)
  if (card === null) return null
  const { headers } = body
  const known = trySenders(new Body({ value: card.forSenders, headers }))
  return known ?? renderReport(guessReport(new Body({ value: card.forGuess, headers }), true), body)
}

/** The text of the first sender that knows the body and makes a text of it. */
function trySenders(body: Body): RenderedAlert | null {
  for (const sender of SENDERS) {
    const rendered = sender.matches(body) ? renderReport(readReport(sender, body), body) : null
    if (rendered !== null) return rendered
  }
  return null
}

/** `null` if the report gives no text. */
function renderReport(report: Report | null, body: Body): RenderedAlert | null {
  const message = report === null ? '' : cutText(oneLine(compose(report)))
  if (report === null || message === '') return null
  const severity = report.severity ?? severityOf(report.state) ?? readUrgency(body)
  return { message, format: report.format, severity, state: alertStateOf(report.state) }
}

/** A list of words becomes a message with one word per line; `null` becomes an empty alert. */
function asRecord(value: Json): Json {
  if (value === null) return recordOf([])
  if (!Array.isArray(value) || value.some(item => typeof item === 'object')) return value
  return recordOf([['message', value.slice(0, 32).join('\n')]])
}

/** A message of emoji alone is sent unchanged; an empty one still says that there was an alert. */
function lastResort(value: Json): string {
  const message = isObject(value) ? value['message'] : null
  const bare = typeof message === 'string' ? oneLine(message.slice(0, ALERT_LENGTH_MAX * 2)) : ''
  return cutText(bare) || EMPTY_ALERT
}
