/** The services to which received texts are passed on. */
import type { ForwardKind } from '#contracts/forward.ts'
import type { Issue } from '#contracts/problem.ts'
import {
  type Adapter,
  below,
  type Forward,
  postJson,
  shorten,
  titleOf,
  wholeText,
} from '#domain/forward/forward.ts'

/** A longer message of ntfy becomes an attachment, which many servers do not take. */
const NTFY_BYTES_MAX = 4096
/** A UTF-16 unit takes up to three bytes. */
const NTFY_LENGTH_THAT_FITS = 1365
/** Gotify's apps make no sound below this priority. */
const GOTIFY_PRIORITY = 5
const TELEGRAM_API = 'https://api.telegram.org'
const TELEGRAM_LENGTH_MAX = 4096
/** An event has at most 64 KiB, and a letter up to three bytes. */
const MATRIX_LENGTH_MAX = 16_000
/** Slack cuts longer texts off, Mattermost splits them at 16,383. */
const SLACK_LENGTH_MAX = 16_000
const SLACK_ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }
const DISCORD_LENGTH_MAX = 2000

export const ADAPTERS: Readonly<Record<ForwardKind, Adapter>> = {
  /**
   * Headers are ASCII, so the title is an encoded word. A repeat has the same sequence id: from ntfy 2.16 on
   * it replaces the notification instead of adding one.
   *
   * @see https://docs.ntfy.sh/publish/
   */
  ntfy: {
    url: 'must',
    target: 'no',
    credential: 'may',
    request: ({ url, credential }, text) => ({
      via: 'http',
      method: 'POST',
      url: url ?? '',
      headers: {
        'content-type': 'text/plain; charset=utf-8',
        title: `=?UTF-8?B?${Buffer.from(titleOf(text)).toString('base64')}?=`,
        'x-sequence-id': text.id,
        ...(credential !== null && { authorization: `Bearer ${credential}` }),
      },
      body:
        Buffer.byteLength(text.text) > NTFY_BYTES_MAX ? shorten(text.text, NTFY_LENGTH_THAT_FITS) : text.text,
    }),
  },
  /** @see https://gotify.net/api-docs */
  gotify: {
    url: 'must',
    target: 'no',
    credential: 'must',
    request: ({ url, credential }, text) =>
      postJson(
        below(url, '/message'),
        { title: titleOf(text), message: text.text, priority: GOTIFY_PRIORITY },
        { 'x-gotify-key': credential ?? '' },
      ),
  },
  /**
   * Without a parse mode, the text is sent as it is. A preview would make Telegram open the addresses in
   * texts.
   *
   * @see https://core.telegram.org/bots/api#sendmessage
   */
  telegram: {
    url: 'may',
    target: 'must',
    credential: 'must',
    faultOfTarget: target =>
      /^(-?\d{1,20}|@\w{1,64})$/.test(target) ? null : 'must be the number of a chat, or @ and its name',
    request: ({ url, target, credential }, text) =>
      postJson(
        below(
          url ?? TELEGRAM_API,
          `/bot${encodeURIComponent(credential ?? '').replace('%3A', ':')}/sendMessage`,
        ),
        {
          chat_id: target,
          text: wholeText(text, TELEGRAM_LENGTH_MAX),
          link_preview_options: { is_disabled: true },
        },
      ),
    pauseMs: ({ parameters }) => Number(Object(parameters).retry_after) * 1000,
  },
  /**
   * The server carries out a transaction id once, so a repeat makes no second message.
   *
   * @see https://spec.matrix.org/latest/client-server-api/#put_matrixclientv3roomsroomidsendeventtypetxnid
   */
  matrix: {
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
      body: JSON.stringify({ msgtype: 'm.text', body: wholeText(text, MATRIX_LENGTH_MAX) }),
    }),
    // Servers older than Matrix 1.10 send no `Retry-After`.
    pauseMs: ({ retry_after_ms }) => retry_after_ms,
  },
  /**
   * Incoming webhooks of Slack, Mattermost and Rocket.Chat. A stranger's text must not call all members:
   * Slack reads such calls from `<!channel>`, the others from `@channel`.
   *
   * @see https://docs.slack.dev/messaging/formatting-message-text/#escaping
   */
  slack: {
    url: 'must',
    target: 'no',
    credential: 'no',
    request: ({ url }, text) =>
      postJson(url ?? '', {
        text: wholeText(text, SLACK_LENGTH_MAX)
          .replace(/[&<>]/g, character => SLACK_ESCAPES[character] ?? '')
          .replace(/@(?=all\b|channel\b|everyone\b|here\b)/gi, '@\u200b'),
      }),
  },
  /** @see https://discord.com/developers/docs/resources/webhook#execute-webhook */
  discord: {
    url: 'must',
    target: 'no',
    credential: 'no',
    request: ({ url }, text) =>
      postJson(url ?? '', {
        content: wholeText(text, DISCORD_LENGTH_MAX),
        allowed_mentions: { parse: [] },
      }),
  },
  /** It goes through the server of `[mail]`. A repeat has the same Message-ID, so mailboxes can tell. */
  email: {
    url: 'no',
    target: 'must',
    credential: 'no',
    faultOfTarget: target =>
      /^[^\s@,;<>"()]+@[^\s@,;<>"()]+$/.test(target) ? null : 'must be one e-mail address',
    request: ({ target }, text) => ({
      via: 'mail',
      to: target ?? '',
      subject: titleOf(text),
      text: `${text.text}\n\n${titleOf(text)}, received ${text.receivedAt}\n`,
      id: `${text.id}@roost`,
    }),
  },
  /** A phone of the account texts the person, see `domain/sending/text-forward.ts`. */
  sms: { url: 'no', target: 'must', credential: 'no', request: () => ({ via: 'sms' }) },
}

type Settings = Pick<Forward, 'kind' | 'url' | 'target' | 'credential'>

/**
 * What the kind of a forward misses or does not know among its settings. `isPerson`: whether the account has
 * a person with this id.
 */
export function findForwardIssues(forward: Settings, isPerson: (id: string) => boolean): Issue[] {
  const { kind, target } = forward
  const adapter = ADAPTERS[kind]
  const issues = (['url', 'target', 'credential'] as const).flatMap(path => {
    if (adapter[path] === 'must' && forward[path] === null)
      return [{ path, message: `is needed for ${kind}` }]
    if (adapter[path] === 'no' && forward[path] !== null)
      return [{ path, message: `is not used by ${kind}: leave it out` }]
    return []
  })
  if (target === null) return issues
  const isNobody = kind === 'sms' && !isPerson(target)
  const fault = isNobody ? 'must be the id of a person of this account' : adapter.faultOfTarget?.(target)
  return fault == null ? issues : [...issues, { path: 'target', message: fault }]
}

/** The pause that a service asks for in the body of its answer, milliseconds; null: none that can be read. */
export function readPause(kind: ForwardKind, answer: string): number | null {
  const { pauseMs } = ADAPTERS[kind]
  if (pauseMs === undefined) return null
  try {
    const ms = Number(pauseMs(Object(JSON.parse(answer))))
    return Number.isFinite(ms) && ms >= 0 ? ms : null
  } catch {
    return null
  }
}
