import { type Adapter, below, postJson, wholeText } from '#domain/forward/forward.ts'

const API = 'https://api.telegram.org'
const LENGTH_MAX = 4096

/**
 * Without a parse mode, the text is sent as it is. A preview would make Telegram open the addresses in texts.
 *
 * @see https://core.telegram.org/bots/api#sendmessage
 */
export const telegram: Adapter = {
  url: 'may',
  target: 'must',
  credential: 'must',
  faultOfTarget: target =>
    /^(-?\d{1,20}|@\w{1,64})$/.test(target) ? null : 'must be the number of a chat, or @ and its name',
  request: ({ url, target, credential }, text) =>
    postJson(
      below(url ?? API, `/bot${encodeURIComponent(credential ?? '').replace('%3A', ':')}/sendMessage`),
      {
        chat_id: target,
        text: wholeText(text, LENGTH_MAX),
        link_preview_options: { is_disabled: true },
      },
    ),
  pauseMs: ({ parameters }) => Number(Object(parameters).retry_after) * 1000,
}
