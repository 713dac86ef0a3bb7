/*
 * Turns whatever an alert sender posts into one short text. The order, and the fields that each step looks
 * at:
 *
 *  0. template            `{{path}}` filled in; an empty result goes on below.
 *  1. alert-manager       `alerts[]` with `labels` or `annotations`, `status`, `startsAt`, `endsAt`,
 *                         `commonLabels`, `groupLabels`, `truncatedAlerts` (describe-alert-group.ts)
 *  2. dashboard           `evalMatches`, `ruleId` or `ruleUrl`; `ruleName`, `title`, `state`, `message`
 *  3. generic, code host  `repository.full_name`, `project.path_with_namespace`, an event header;
 *  `conclusion`, `action`
 *  4. generic, error      `event`, `error` or `issue` with `culprit`, `metadata` or `shortId`; `title`,
 *  `level`
 *  5. generic, library    `eventType` with `instanceName` or a work (`series`, `movie`, …); `level`,
 *  `message`
 *  6. generic, shop       a total with a `currency` and a list of items (describe-order.ts)
 *  7. uptime-monitor      `heartbeat` and `monitor`; a monitor's name with a state; `name` with UP or DOWN;
 *                         an incident with `cause` (describe-monitor.ts)
 *  8. generic             parts of a chat message made into title, message and facts (read-card.ts); a
 *                         message of `Key: value` lines made into fields; then titles, messages, states,
 *                         severities and hosts by their names, in the order of the lists in alert-
 *                         fields.ts, then by the ends of names; an event's name, a measured condition
 *  9. digest              the scalar fields as `name=value`
 *
 * Before step 1, JSON inside a message field is taken out of its envelope. A step that does not know the
 * payload answers `null`; nothing looks at a value to tell one sender from another.
 */
import { ALERT_LENGTH_MAX } from '#contracts/bounds.ts'
import type { AlertFormat, RenderedAlert, TriggerRequest } from '#contracts/webhook.ts'
import { composeReport, type Report } from '#domain/alert/compose-report.ts'
import { fillTemplate } from '#domain/alert/fill-template.ts'
import { describeGeneric } from '#domain/alert/guess/describe-generic.ts'
import { digestPairs } from '#domain/alert/guess/digest-fields.ts'
import { openScopes, type Scopes } from '#domain/alert/guess/find-fields.ts'
import { readCard } from '#domain/alert/guess/read-card.ts'
import { isObject, type Json, pruneJson, recordOf } from '#domain/alert/read/json-value.ts'
import { type Payload, readPayload } from '#domain/alert/read/read-payload.ts'
import { spreadKeyLines, unwrapPayload } from '#domain/alert/read/unwrap-payload.ts'
import { describeAlertGroup } from '#domain/alert/senders/alert-group.ts'
import { describeForge } from '#domain/alert/senders/code-host.ts'
import { describeDashboard } from '#domain/alert/senders/dashboard-rule.ts'
import { describeMedia } from '#domain/alert/senders/media-library.ts'
import { describeOrder } from '#domain/alert/senders/shop-order.ts'
import { describeIssue } from '#domain/alert/senders/tracked-error.ts'
import { describeMonitor } from '#domain/alert/senders/uptime-monitor.ts'
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
  const value = asRecord(unwrapPayload(payload.value))
  const scopes = openScopes(value)
  for (const [format, describe] of STEPS) {
    const report = describe({ value, headers: payload.headers }, scopes)
    const message = report === null ? '' : cutText(oneLine(composeReport(report)))
    if (report === null || message === '') continue
    const severity = report.severity === undefined ? severityOf(report.state) : report.severity
    return { message, format, severity, state: alertStateOf(report.state) }
  }
  const digest = cutText(digestPairs(value).join(' '))
  return { message: digest || lastResort(value), format: 'digest', severity: null, state: null }
}

/** A list of words is a message of lines; nothing at all is an empty alert. */
function asRecord(value: Json): Json {
  if (isObject(value)) return value
  if (!Array.isArray(value) || value.some(item => typeof item === 'object')) return value ?? recordOf([])
  return recordOf([['message', value.slice(0, 32).join('\n')]])
}

const STEPS: readonly (readonly [AlertFormat, (payload: Payload, scopes: Scopes) => Report | null])[] = [
  ['alert-manager', ({ value }) => describeAlertGroup(value)],
  ['dashboard', ({ value }) => describeDashboard(value)],
  ['generic', describeForge],
  ['generic', ({ value }) => describeIssue(value)],
  ['generic', ({ value }) => describeMedia(value)],
  ['generic', ({ value }) => describeOrder(value)],
  ['uptime-monitor', ({ value }, scopes) => describeMonitor(value, scopes)],
  ['generic', ({ value }, scopes) => describeAny(value, scopes)],
]

function describeAny(value: Json, scopes: Scopes): Report | null {
  const card = readCard(value)
  const flat = card ?? value
  const spread = spreadKeyLines(flat, card === null ? scopes : openScopes(flat))
  const report = describeGeneric(spread, spread === value ? scopes : openScopes(spread))
  const isOnlyHeadline = isObject(spread) && Object.hasOwn(spread, 'headline') && report?.summary.length === 0
  if (isOnlyHeadline && report.state === null) {
    return { ...report, summary: digestPairs(spread, [report.what]).slice(0, PAIRS_SHOWN).join(' ') }
  }
  return report ?? (card === null ? null : describeGeneric(value, scopes))
}

/** A message of nothing but pictures is sent as it is; an empty one still says that something happened. */
function lastResort(value: Json): string {
  const message = isObject(value) ? value['message'] : null
  const bare = typeof message === 'string' ? oneLine(message.slice(0, ALERT_LENGTH_MAX * 2)) : ''
  return cutText(bare) || EMPTY_ALERT
}
