/** Reads and checks the headers of a request. */
import type { HttpRequest } from 'uWebSockets.js'

/** Headers that a request may have only once. A second one is an attack or a mistake. */
const SINGLE = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'content-type',
  'authorization',
  'x-api-key',
  'idempotency-key',
])

/** Reads the headers; repeated ones are joined by commas. `fault`: what is wrong with them; null: nothing. */
export function readHead(req: HttpRequest): { headers: Record<string, string>; fault: string | null } {
  const headers: Record<string, string> = Object.create(null)
  let fault: string | null = null
  req.forEach((name, value) => {
    const known = headers[name]
    if (known === undefined) headers[name] = value
    else if (SINGLE.has(name)) fault = `the header ${name} appears twice: send it once`
    else headers[name] = `${known}, ${value}`
  })
  // The library's parser treats an empty Content-Length as none, and would read the body as another request.
  if (headers['content-length'] === '') fault = 'Content-Length must be a number of bytes'
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined) {
    if (headers['content-length'] !== undefined) fault = 'send Content-Length or Transfer-Encoding, not both'
    else if (transfer.toLowerCase() !== 'chunked') fault = 'the only supported Transfer-Encoding is chunked'
  }
  return { headers, fault }
}

const processTag = Math.random().toString(36).slice(2, 8)
let requests = 0

/** The caller's X-Request-Id if it has a safe form, or else a new id. */
export function requestId(given: string | undefined): string {
  if (given !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(given)) return given
  return `req-${processTag}-${(++requests).toString(36)}`
}

/**
 * Whether to close the connection after this request: if `Connection: close` asks for it (RFC 9112, section
 * 9.6), and after a chunked body. uWebSockets.js reads a chunk extension as part of the size, and a trailer
 * as the next request. So a proxy in front may find the end of the body at another place, which would allow
 * request smuggling.
 */
export function endsConnection(headers: Readonly<Record<string, string>>): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return /(?:^|,)\s*close\s*(?:,|$)/i.test(headers['connection'] ?? '')
}
