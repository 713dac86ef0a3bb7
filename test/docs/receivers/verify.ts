// Usage: node verify.ts SECRET SIGNATURE < body
import { createHmac, timingSafeEqual } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

/** `body` must be the bytes as they came, not parsed and written again. */
function isGenuine(secret: string, signature: string, body: Uint8Array): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`)
  const given = Buffer.from(signature)
  return given.length === expected.length && timingSafeEqual(given, expected)
}

const [, , secret = '', signature = ''] = process.argv
process.exitCode = isGenuine(secret, signature, await buffer(process.stdin)) ? 0 : 1
