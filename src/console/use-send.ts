import { useState } from 'preact/hooks'
import { callPage, sending } from '#console/api.ts'
import { t } from '#console/language.ts'
import { onceFor } from '#console/send-once.ts'
import type { AcceptedMessageResource } from '#contracts/message.ts'

const PRESS_AGAIN = t('Press again: it will not be sent twice.')

/** The function that sends the text of a form, at most once for the same fields. */
export function useSend() {
  const [send] = useState(() => onceFor(postText, newKey))
  return send
}

async function postText(json: object, key: string): Promise<AcceptedMessageResource> {
  const headers = { 'Idempotency-Key': key }
  const work = callPage<AcceptedMessageResource>('POST', 'sms/send', { json, headers })
  return (await sending(work, PRESS_AGAIN)).data
}

/** `randomUUID` is missing on plain HTTP. */
function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint32Array(4)), part => part.toString(36)).join('-')
}
