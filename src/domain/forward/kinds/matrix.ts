import { type Adapter, below, wholeText } from '#domain/forward/forward.ts'

/** An event has at most 64 KiB, and a letter up to three bytes. */
const LENGTH_MAX = 16_000

/**
 * The server carries out a transaction id once, so a repeat makes no second message.
 *
 * @see https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
 */
export const matrix: Adapter = {
  url: 'must',
  target: 'must',
  credential: 'must',
  faultOfTarget: target =>
    /^![^\s/]+$/.test(target) ? null : 'must be the id of a room, like !abc:example.org',
  request: ({ url, target, credential }, text) => ({
    via: 'http',
    method: 'PUT',
    url: below(
      url,
      `/_matrix/client/v3/rooms/${encodeURIComponent(target ?? '')}/send/m.room.message/${text.id}`,
    ),
    headers: { 'content-type': 'application/json', authorization: `Bearer ${credential ?? ''}` },
    body: JSON.stringify({ msgtype: 'm.text', body: wholeText(text, LENGTH_MAX) }),
  }),
  // Servers older than Matrix 1.10 send no `Retry-After`.
  pauseMs: ({ retry_after_ms }) => retry_after_ms,
}
