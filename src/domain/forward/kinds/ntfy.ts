import { type Adapter, shorten, titleOf } from '#domain/forward/forward.ts'

/** A longer message becomes an attachment, which many servers do not take. */
const BYTES_MAX = 4096
/** A UTF-16 unit takes up to three bytes. */
const LENGTH_THAT_FITS = 1365

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
    body: Buffer.byteLength(text.text) > BYTES_MAX ? shorten(text.text, LENGTH_THAT_FITS) : text.text,
  }),
}
