/** What a webhook keeps of a request, and by what it knows the request again. */
import { createHash } from 'node:crypto'
import type { TriggerRequest } from '#contracts/webhook.ts'
import { decodeWords } from '#domain/alert/read/read-mail.ts'
import { TRIGGER_HEADERS } from '#domain/alert/read/read-payload.ts'
import type { Call } from '#transport/http/route.ts'

/** The request of a call as plain data. */
export function requestOf(call: Call): TriggerRequest {
  const headers: Record<string, string> = {}
  for (const name of TRIGGER_HEADERS) {
    const value = call.header(name)
    // The server reads headers as UTF-8, so other bytes are lost. A ? does not make the text one of UCS-2.
    if (value !== undefined) headers[name] = value.replaceAll('\ufffd', '?')
  }
  return {
    method: call.method === 'get' ? 'GET' : 'POST',
    query: call.rawQuery,
    contentType: call.header('content-type') ?? null,
    headers,
    // A copy with its own memory, because a transfer to another thread moves the whole buffer.
    body: new Uint8Array(call.bytes),
  }
}

/** A hash of the request, to recognize a repetition. */
export function hashRequest({ method, query, headers, body }: TriggerRequest, plan = ''): Uint8Array {
  const head = JSON.stringify([method, query, headers, plan])
  return createHash('sha256').update(head).update('\0').update(body).digest()
}

/**
 * Removes the token from the request, because some senders include the address of the webhook in their
 * payload.
 */
export function withoutSecret(request: TriggerRequest, token: string): TriggerRequest {
  const strip = (text: string) => text.replaceAll(token, '')
  const headers = Object.entries(request.headers).map(([name, value]) => [name, strip(decodeWords(value))])
  const bytes = Buffer.from(request.body)
  // As Latin-1, each byte is one character, so that all other bytes of the body stay as they are.
  const stripBytes = () => new Uint8Array(Buffer.from(strip(bytes.toString('latin1')), 'latin1'))
  return {
    ...request,
    query: strip(request.query),
    headers: Object.fromEntries(headers),
    body: bytes.includes(token) ? stripBytes() : request.body,
  }
}
