/**
 * The WebSocket protocol `roost.live.v1`. Its frames carry news: which objects changed, so that open console
 * pages fetch these again from the API. News contains no text, number or secret. It is not stored: a page
 * that reconnects fetches everything.
 */
import * as v from 'valibot'
import { SESSION_SECRET_LENGTH_MAX } from '#contracts/bounds.ts'
import { noted } from '#contracts/noted.ts'
import { Instant, MESSAGE_STATUSES } from '#contracts/primitives.ts'

export const LIVE_SUBPROTOCOL = 'roost.live.v1'
/**
 * A page also offers this subprotocol, because a browser does not show a page why its WebSocket was refused.
 * The gateway then accepts it only to close it, with `LIVE_CLOSE.forbidden`.
 */
export const LIVE_REFUSAL_SUBPROTOCOL = 'roost.live.refusal'

/**
 * The first frame of a page that authenticated with a cookie. `half`: the page's part of the session's
 * secret.
 */
export const LiveHello = v.object({ half: v.pipe(v.string(), v.maxLength(SESSION_SECRET_LENGTH_MAX)) })

const TYPE_NOTE =
  'What kind of object changed. resync: more changed than the frame lists; fetch everything again.'
const ID_NOTE = 'The id of the changed object; for a problem, its code. Null for resync.'

const MessageNews = v.object({
  type: noted(v.literal('message'), TYPE_NOTE),
  id: noted(v.string(), ID_NOTE),
  status: noted(v.picklist(MESSAGE_STATUSES), 'The new status of the message.'),
  at: noted(Instant, 'When the message reached this status.'),
  deviceId: noted(v.nullable(v.string()), 'The phone, `dev_…`.'),
  failure: noted(
    v.nullable(
      v.object({
        code: noted(v.string(), 'The same code as in the message’s `failure`.'),
        message: noted(v.string(), 'A sentence for people; its wording may change.'),
      }),
    ),
    'Why the message failed; null: it has not failed.',
  ),
})
const ObjectNews = v.object({
  type: noted(v.picklist(['received', 'device', 'webhook', 'delivery', 'problem', 'incident']), TYPE_NOTE),
  id: noted(v.string(), ID_NOTE),
})
/** More changed than the frame lists: fetch everything again. */
const Resync = v.object({
  type: noted(v.literal('resync'), TYPE_NOTE),
  id: noted(v.null(), ID_NOTE),
})

export const NewsFrame = v.object({
  news: noted(
    v.array(v.variant('type', [MessageNews, ObjectNews, Resync])),
    'The changes; each changed object appears once.',
  ),
})
export type News = v.InferOutput<typeof NewsFrame>['news'][number]

export const RESYNC: News = { type: 'resync', id: null }

/** Why the gateway closes a live socket. */
export const LIVE_CLOSE = {
  goingAway: 1001,
  /** A frame was wrong, or the page did not authenticate in time: it may connect again. */
  protocolError: 1002,
  /** The session has ended. */
  unauthorized: 4401,
  /** The page belongs to another site. */
  forbidden: 4403,
  tooMany: 4429,
} as const
