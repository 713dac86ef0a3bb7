import type { Answer } from '#transport/http/route.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

export interface HttpAnswer {
  readonly status: number
  readonly contentType: string
  readonly body: string | Uint8Array
  /** What follows `body`, piece by piece, as fast as the caller reads. None: `body` is everything. */
  readonly more?: AsyncIterator<string>
  readonly headers?: Readonly<Record<string, string>>
  /** True: close the connection after this answer. */
  readonly close?: boolean
}

export const STATUS_LINES: Readonly<Record<number, string>> = {
  200: '200 OK',
  201: '201 Created',
  202: '202 Accepted',
  204: '204 No Content',
  302: '302 Found',
  400: '400 Bad Request',
  401: '401 Unauthorized',
  403: '403 Forbidden',
  404: '404 Not Found',
  405: '405 Method Not Allowed',
  409: '409 Conflict',
  413: '413 Payload Too Large',
  415: '415 Unsupported Media Type',
  422: '422 Unprocessable Content',
  429: '429 Too Many Requests',
  500: '500 Internal Server Error',
  501: '501 Not Implemented',
  503: '503 Service Unavailable',
}

const NO_HEADERS = {}

/** Converts the answer of a route to bytes: `data` gets the envelope, a raw body stays as it is. */
export function envelopeAnswer(answer: Answer): HttpAnswer {
  if ('raw' in answer) {
    const { raw, contentType, status, headers, more } = answer
    const whole = { status: status ?? 200, contentType, body: raw, headers: headers ?? NO_HEADERS }
    return more === undefined ? whole : { ...whole, more }
  }
  if ('dataJson' in answer) {
    const body = `{"success":true,"data":${answer.dataJson}}`
    return { status: 200, contentType: JSON_TYPE, body, headers: answer.headers ?? NO_HEADERS }
  }
  const { data, page, headers } = answer
  const body = JSON.stringify(page === undefined ? { success: true, data } : { success: true, data, page })
  return { status: 200, contentType: JSON_TYPE, body, headers: headers ?? NO_HEADERS }
}
