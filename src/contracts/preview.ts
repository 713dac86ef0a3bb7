/** The preview of the text that an alert becomes. */
import * as v from 'valibot'
import { ReadingShape, readingEntries, SettledRoles, SHAPE_NOTE } from '#contracts/alert-reading.ts'
import { noted } from '#contracts/noted.ts'
import { ENCODINGS } from '#contracts/primitives.ts'
import {
  ALERT_FORMATS,
  ALERT_SEVERITIES,
  ALERT_STATES,
  AlertText,
  TemplateSetting,
} from '#contracts/webhook.ts'

/** Characters of `contentType` in a preview: the boundary of a multipart body has at most 70 (RFC 2046). */
const CONTENT_TYPE_LENGTH_MAX = 200
/** More headers than senders send, and as long as the gateway takes them. */
const HEADERS_MAX = 64
const HEADER_LENGTH_MAX = 4096

const Headers = v.pipe(
  v.record(
    v.string(),
    v.pipe(
      v.string('must be text'),
      v.maxLength(HEADER_LENGTH_MAX, `must be at most ${HEADER_LENGTH_MAX} characters`),
    ),
    'must be an object with the headers by name',
  ),
  v.maxEntries(HEADERS_MAX, `must be at most ${HEADERS_MAX} headers`),
)

/** The route checks that exactly one of `payload` and `body` is given. */
export const PreviewRequest = v.object({
  messageTemplate: v.optional(TemplateSetting, null),
  payload: noted(v.optional(v.unknown()), 'Any JSON value, as an alert sender would post it.'),
  body: noted(
    v.nullish(v.string('must be text'), null),
    'The exact body of a trigger; give either this or `payload`.',
  ),
  contentType: noted(
    v.nullish(
      v.pipe(
        v.string('must be text'),
        v.maxLength(CONTENT_TYPE_LENGTH_MAX, `must be at most ${CONTENT_TYPE_LENGTH_MAX} characters`),
      ),
      null,
    ),
    'The Content-Type of `body`; null: none.',
  ),
  headers: noted(
    v.nullish(Headers, {}),
    'Headers of the trigger, such as Title or X-GitHub-Event; all that cannot describe one are ignored.',
  ),
  webhookId: noted(
    v.nullish(v.string('must be text'), null),
    'The webhook whose settled readings count; null: none do.',
  ),
  reading: noted(v.nullish(SettledRoles, null), 'Roles that count as if they were settled for this alert.'),
})

export const PreviewResource = v.object({
  message: noted(AlertText, 'The text, at most 480 characters on one line.'),
  format: noted(v.picklist(ALERT_FORMATS), 'The kind of sender that was detected in the payload.'),
  severity: noted(
    v.nullable(v.picklist(ALERT_SEVERITIES)),
    'How bad the alert is; null: the alert does not say.',
  ),
  state: noted(
    v.nullable(v.picklist(ALERT_STATES)),
    'firing: something is wrong. recovered: it is over. acknowledged: a person takes care of it. test: a ' +
      'test of the sender. notice: any other state. Null: the alert does not say.',
  ),
  segments: noted(
    v.pipe(v.number(), v.integer(), v.minValue(1)),
    'Number of SMS segments in which the network sends the text.',
  ),
  encoding: noted(v.picklist(ENCODINGS), 'One segment holds 160 characters in GSM-7 and 70 in UCS-2.'),
  ...readingEntries,
  shape: noted(ReadingShape, SHAPE_NOTE),
})
