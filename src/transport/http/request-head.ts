/** The head of a request: its headers, each once where it may stand only once, and what follows from them. */
import type { HttpRequest } from 'uWebSockets.js'

/** Headers that mean something only once: a second one is an attack or a mistake. */
const SINGLE = new Set([
  'content-length',
  'transfer-encoding',
  'host',
  'content-type',
  'authorization',
  'x-api-key',
  'idempotency-key',
])

/** The headers, and what is wrong with them, if anything. Repeated ones are joined by commas. */
export function readHead(req: HttpRequest): { headers: Record<string, string>; fault: string | null } {
  const headers: Record<string, string> = Object.create(null)
  let fault: string | null = null
  req.forEach((name, value) => {
    const known = headers[name]
    if (known === undefined) headers[name] = value
    else if (SINGLE.has(name)) fault = `the header ${name} stands there twice: send it once`
    else headers[name] = `${known}, ${value}`
  })
  // An empty one is taken for none at all by the parser, and the body then for a request of its own.
  if (headers['content-length'] === '') fault = 'Content-Length must be a number of bytes'
  const transfer = headers['transfer-encoding']
  if (transfer !== undefined) {
    if (headers['content-length'] !== undefined) fault = 'send Content-Length or Transfer-Encoding, not both'
    else if (transfer.toLowerCase() !== 'chunked') fault = 'the only Transfer-Encoding understood is chunked'
  }
  return { headers, fault }
}

const processTag = Math.random().toString(36).slice(2, 8)
let requests = 0

/** The caller's own id when it is harmless, else one of ours. */
export function requestId(own: string | undefined): string {
  if (own !== undefined && /^[A-Za-z0-9._-]{1,64}$/.test(own)) return own
  return `req-${processTag}-${(++requests).toString(36)}`
}

/**
 * Whether the connection ends with this request: `Connection: close` asks for it (RFC 9112, section 9.6),
 * and a chunked body does too. uWebSockets.js takes a chunk extension for digits of the size and a trailer
 * for the next request, so a proxy may find the end of the body at another place.
 */
export function endsConnection(headers: Readonly<Record<string, string>>): boolean {
  if (headers['transfer-encoding'] !== undefined) return true
  return /(?:^|,)\s*close\s*(?:,|$)/i.test(headers['connection'] ?? '')
}
