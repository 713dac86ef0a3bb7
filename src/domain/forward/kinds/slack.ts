import { type Adapter, postJson, wholeText } from '#domain/forward/forward.ts'

/** Slack cuts longer texts off, Mattermost splits them at 16,383. */
const LENGTH_MAX = 16_000
const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/**
 * Incoming webhooks of Slack, Mattermost and Rocket.Chat. A stranger's text must not call all members: Slack
 * reads such calls from `<!channel>`, the others from `@channel`.
 *
 * @see https://docs.slack.dev/messaging/formatting-message-text/#escaping
 */
export const slack: Adapter = {
  url: 'must',
  target: 'no',
  credential: 'no',
  request: ({ url }, text) =>
    postJson(url ?? '', {
      text: wholeText(text, LENGTH_MAX)
        .replace(/[&<>]/g, character => ESCAPES[character] ?? '')
        .replace(/@(?=all\b|channel\b|everyone\b|here\b)/gi, '@\u200b'),
    }),
}
