import { type Adapter, titleOf } from '#domain/forward/forward.ts'

/**
 * Headers are ASCII, so the title is an encoded word. A repeat has the same sequence id: from ntfy 2.16 on it
 * replaces the notification instead of adding one.
 *
 * @see https://docs.ntfy.sh/publish/
 */
export const ntfy: Adapter = {
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
    body: text.text,
  }),
}
