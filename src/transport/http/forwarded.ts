/**
 * Reads the header in which proxies write the addresses that a request came from, from the right: only what
 * the last proxy wrote is certain. Any client can write whatever it likes to the left of that.
 */
import { type Address, parseAddress, parseHostAddress } from '#domain/network/address.ts'

/** The headers of which the configuration names one. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded'

/** One hop. `before`: where the text left of it ends; -1: there is none. `address` null: unreadable. */
export interface Hop {
  readonly text: string
  readonly before: number
  readonly address: Address | 'unknown' | null
}

/** A pair of `Forwarded` (RFC 7239, section 4). A value with brackets is often written without quotes. */
const PAIR = /\s*([\w!#$%&'*+.^`|~-]+)=("(?:[^"\\]|\\.)*"|[^\s",;]*)\s*(?:;|$)/y
/** `203.0.113.5`, `203.0.113.5:51234`, `[2001:db8::1]`, `[2001:db8::1]:443`; a port may be a name. */
const NODE = /^(\[[^\]]+\]|[^:[\]]+)(?::[\w.-]+)?$/

/** The last hop before `end`. */
export function lastHop(header: ForwardedHeader, value: string, end: number): Hop {
  const before = header === 'forwarded' ? commaOutside(value, end) : value.lastIndexOf(',', end - 1)
  const text = value.slice((end === 0 ? -1 : before) + 1, end).trim()
  const node = header === 'forwarded' ? nodeOf(text) : unquoted(text)
  return { text, before: end === 0 ? -1 : before, address: node === null ? null : addressOf(node) }
}

/** The last comma that stands in no quotes, looked for from the right: what is left of it may be anything. */
function commaOutside(value: string, end: number): number {
  let isQuoted = false
  for (let at = end - 1; at >= 0; at--) {
    const character = value[at]
    if (character === '"' && !isEscaped(value, at)) isQuoted = !isQuoted
    else if (character === ',' && !isQuoted) return at
  }
  return -1
}

function isEscaped(value: string, at: number): boolean {
  let slashes = 0
  while (value[at - 1 - slashes] === '\\') slashes += 1
  return slashes % 2 === 1
}

/** The value of `for` in an element of `Forwarded`; null: it has none, or is malformed. */
function nodeOf(element: string): string | null {
  let node: string | null = null
  PAIR.lastIndex = 0
  while (PAIR.lastIndex < element.length) {
    const [, name = '', value = ''] = PAIR.exec(element) ?? []
    if (name === '') return null
    if (name.toLowerCase() === 'for') node = unquoted(value)
  }
  return node
}

function unquoted(text: string): string {
  const inner = /^"(.*)"$/s.exec(text)?.[1]
  return inner === undefined ? text : inner.replace(/\\(.)/gs, '$1')
}

/** `unknown`: the proxy does not say, by that word or by a name of its own such as `_hidden`. */
function addressOf(node: string): Hop['address'] {
  const bare = parseAddress(node)
  if (bare !== null) return bare
  const host = NODE.exec(node)?.[1]
  if (host === undefined) return null
  return /^(unknown|_[\w.-]+)$/i.test(host) ? 'unknown' : parseHostAddress(host)
}
