import type { HttpAnswer } from '#transport/http/http-answer.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import type { Answer } from '#transport/http/route.ts'

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
