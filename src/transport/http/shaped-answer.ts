import { createHash } from 'node:crypto'
import type { Problem } from '#domain/problem.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import type { FormatRefusal } from '#transport/http/route.ts'

/** A JSON answer without Roost's envelope. */
export function shapedJson(body: unknown, status = 200) {
  return { raw: JSON.stringify(body), contentType: JSON_TYPE, status }
}

/** Refusals as JSON of another shape than Roost's. */
export function refuseAs(shape: (problem: Problem, status: number) => unknown): FormatRefusal {
  return (problem, status) => ({
    status,
    contentType: JSON_TYPE,
    body: JSON.stringify(shape(problem, status)),
  })
}

/** A positive 31-bit number made from an id, for APIs that identify messages by numbers. */
export function numberOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() & 0x7fffffff
}

export const TEXT_TYPE = 'text/plain; charset=utf-8'

/** A refusal as one sentence, with all its faults. */
export function refusalText({ code, message, details }: Problem): string {
  // The part after the semicolon names a field that other gateways do not have.
  if (code === 'NO_DEVICE_AVAILABLE') return message.replace(/;.*/s, '')
  const faults = details?.issues?.map(({ path, message: fault }) => `${path} ${fault}`.trim())
  return faults === undefined || faults.length === 0 ? message : faults.join('; ')
}
