import { type Adapter, postJson, wholeText } from '#domain/forward/forward.ts'

const LENGTH_MAX = 2000

/** @see https://discord.com/developers/docs/resources/webhook#execute-webhook */
export const discord: Adapter = {
  url: 'must',
  target: 'no',
  credential: 'no',
  request: ({ url }, text) =>
    postJson(url ?? '', { content: wholeText(text, LENGTH_MAX), allowed_mentions: { parse: [] } }),
}
