import { type Adapter, below, postJson, titleOf } from '#domain/forward/forward.ts'

/** Gotify's apps make no sound below this priority. */
const PRIORITY = 5

/** @see https://gotify.net/api-docs */
export const gotify: Adapter = {
  url: 'must',
  target: 'no',
  credential: 'must',
  request: ({ url, credential }, text) =>
    postJson(
      below(url, '/message'),
      { title: titleOf(text), message: text.text, priority: PRIORITY },
      { 'x-gotify-key': credential ?? '' },
    ),
}
