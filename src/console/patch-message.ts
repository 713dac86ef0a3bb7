import type { News } from '#contracts/live.ts'
import type { MessageResource } from '#contracts/message.ts'

type MessageNews = Extract<News, { type: 'message' }>

/**
 * Returns an answer of the API (a message, a list of messages, or one of texts) with the new status from the
 * news, so that a row changes without a request. Null: the answer does not contain the message.
 */
export function patchMessage(data: unknown, news: MessageNews): unknown {
  if (Array.isArray(data)) {
    const index = data.findIndex(row => isOf(row, news))
    return index < 0 ? null : data.with(index, patched(data[index], news))
  }
  if (isTexts(data)) {
    const texts = patchMessage(data.texts, news)
    return texts === null ? null : { ...data, texts }
  }
  return isOf(data, news) ? patched(data, news) : null
}

function isTexts(data: unknown): data is { readonly texts: unknown } {
  return typeof data === 'object' && data !== null && 'texts' in data
}

function isOf(data: unknown, { id }: MessageNews): data is MessageResource {
  return typeof data === 'object' && data !== null && 'messageId' in data && data.messageId === id
}

function patched(message: MessageResource, { status, deviceId, failure, at }: MessageNews): MessageResource {
  const isNew = message.timeline.every(step => step.status !== status)
  const entry = { status, at, ...(status === 'sending' && deviceId !== null && { deviceId }) }
  const timeline = isNew ? [...message.timeline, entry] : message.timeline
  return { ...message, status, deviceId, failure, timeline }
}
