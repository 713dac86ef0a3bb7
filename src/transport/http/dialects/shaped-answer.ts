import { createHash } from 'node:crypto'
import type { Problem } from '#domain/problem.ts'
import { JSON_TYPE } from '#transport/http/problem-response.ts'

/** A body of another gateway's shape, as JSON. */
export function shapedJson(body: unknown, status = 200) {
  return { raw: JSON.stringify(body), contentType: JSON_TYPE, status }
}

/** A positive whole number of 31 bits for an id of ours, for gateways that number what they take. */
export function numberOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() & 0x7fffffff
}

export const TEXT_TYPE = 'text/plain; charset=utf-8'

/** A refusal in one sentence, with every fault that was found. */
export function wordsOf({ message, details }: Problem): string {
  const faults = details?.issues?.map(({ path, message: fault }) => `${path} ${fault}`.trim())
  return faults === undefined || faults.length === 0 ? message : faults.join('; ')
}
