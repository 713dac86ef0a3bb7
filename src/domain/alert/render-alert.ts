/*
 * Turns whatever a sender posts into one short text: the template; the first sender of `SENDERS` that knows
 * the body; the guess by common names of fields; the scalar fields as `name=value`. Before that, JSON inside
 * a message field is taken out of its envelope. Nothing looks at a value to tell one sender from another.
 */
import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import type { RenderedAlert, TriggerRequest } from '#contracts/webhook.ts'
import { Body } from '#domain/alert/body.ts'
import { compose, type Report } from '#domain/alert/compose.ts'
import { fillTemplate } from '#domain/alert/fill-template.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { readCard } from '#domain/alert/guess/read-card.ts'
import { openScopes } from '#domain/alert/read/find-fields.ts'
import { isObject, type Json, pruneJson, recordOf } from '#domain/alert/read/json-value.ts'
import { type Payload, readPayload } from '#domain/alert/read/read-payload.ts'
import { readUrgency } from '#domain/alert/read/read-urgency.ts'
import { spreadKeyLines, unwrapPayload } from '#domain/alert/read/unwrap-payload.ts'
import { readReport } from '#domain/alert/sender.ts'
import { SENDERS } from '#domain/alert/senders.ts'
import { cutText, oneLine } from '#domain/alert/text/cut-text.ts'
import { alertStateOf, severityOf } from '#domain/alert/vocabulary/states.ts'

/** Of a list of `Key: value` lines in which nothing says why. */
const PAIRS_SHOWN = 4

/** Said when a request holds nothing that could be read. */
const EMPTY_ALERT = 'ALERT without details'

/** The text of a request to a webhook. Never throws, whatever was sent. */
export function renderAlert(request: TriggerRequest, template: string | null): RenderedAlert {
  return renderPayload(readPayload(request), template)
}

/** The text of a payload that is already a JSON value, as a request with it as its body would give. */
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

function renderAutomatically(payload: Payload): RenderedAlert {
  const body = new Body({ value: asRecord(unwrapPayload(payload.value)), headers: payload.headers })
  for (const sender of SENDERS) {
    const rendered = sender.matches(body) ? wordReport(readReport(sender, body), body) : null
    if (rendered !== null) return rendered
  }
  const guessed = guessReport(body)
  const rendered = guessed === null ? null : wordReport(guessed, body)
  if (rendered !== null) return rendered
  const digest = cutText(digestPairs(body.value).join(' '))
  return {
    message: digest || lastResort(body.value),
    format: 'digest',
    severity: readUrgency(body),
    state: null,
  }
}

/** `null` for a report without a word. */
function wordReport(report: Report, body: Body): RenderedAlert | null {
  const message = cutText(oneLine(compose(report)))
  if (message === '') return null
  const severity = report.severity ?? severityOf(report.state) ?? readUrgency(body)
  return { message, format: report.format, severity, state: alertStateOf(report.state) }
}

/** A list of words is a message of lines; nothing at all is an empty alert. */
function asRecord(value: Json): Json {
  if (isObject(value)) return value
  if (!Array.isArray(value) || value.some(item => typeof item === 'object')) return value ?? recordOf([])
  return recordOf([['message', value.slice(0, 32).join('\n')]])
}

/** The last resort: what most bodies have, whoever sends them. */
function guessReport({ value, scopes }: Body): Report | null {
  const card = readCard(value)
  const flat = card ?? value
  const spread = spreadKeyLines(flat, card === null ? scopes : openScopes(flat))
  const report = describeGeneric(spread, spread === value ? scopes : openScopes(spread))
  const isOnlyHeadline = isObject(spread) && Object.hasOwn(spread, 'headline') && report?.reason.length === 0
  if (isOnlyHeadline && report.state === null) {
    return { ...report, reason: digestPairs(spread, [report.subject]).slice(0, PAIRS_SHOWN).join(' ') }
  }
  return report ?? (card === null ? null : describeGeneric(value, scopes))
}

/** A message of nothing but pictures is sent as it is; an empty one still says that something happened. */
function lastResort(value: Json): string {
  const message = isObject(value) ? value['message'] : null
  const bare = typeof message === 'string' ? oneLine(message.slice(0, ALERT_LENGTH_MAX * 2)) : ''
  return cutText(bare) || EMPTY_ALERT
}
