import { createHash } from 'node:crypto'
import { JSON_TYPE } from '#transport/http/problem-response.ts'

/** A body of another gateway's shape, as JSON. */
export function shapedJson(body: unknown, status = 200) {
  return { raw: JSON.stringify(body), contentType: JSON_TYPE, status }
}

/** A positive whole number of 31 bits for an id of ours, for gateways that number what they take. */
export function numberOf(id: string): number {
  return createHash('sha256').update(id).digest().readUInt32BE() & 0x7fffffff
}
