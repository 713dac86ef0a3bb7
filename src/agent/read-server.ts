import { readFingerprint } from '#agent/authority.ts'

/** The flags for pairing. `server` can be a pairing address, which contains the other two. */
interface ServerFlags {
  readonly server?: string | undefined
  readonly code?: string | undefined
  readonly authority?: string | undefined
}

export interface ServerRead {
  readonly server: string | null
  /** 8 digits. Null: not given, because this device is paired already. */
  readonly code: string | null
  /** SHA-256 of the authority's certificate, 64 lower-case hexadecimal digits. Null: not given. */
  readonly authority: string | null
}

const PAIRING_PATH = /\/device\/v1\/pair$/

/** Reads the flags. Returns a sentence if a flag is wrong. */
export function readServer(flags: ServerFlags): ServerRead | string {
  const { server, code, authority } = unpack(flags)
  if (server !== undefined && !isHttpUrl(server))
    return '--server must be a URL that begins with http:// or https://.'
  if (code !== undefined && server === undefined)
    return '--code needs --server URL, the gateway that gave the code.'
  const digits = code?.replace(/[\s-]/g, '') ?? null
  if (digits !== null && !/^\d{8}$/.test(digits)) return '--code must be 8 digits.'
  const fingerprint = authority === undefined ? null : readFingerprint(authority)
  if (authority !== undefined && fingerprint === null)
    return '--authority must be the 64 hexadecimal digits that `roost certificate show` calls SHA-256.'
  if (fingerprint !== null && server !== undefined && !/^https:/i.test(server))
    return '--authority is for HTTPS: --server must begin with https://.'
  return { server: server ?? null, code: digits, authority: fingerprint }
}

/** Splits a pairing address (`https://HOST/device/v1/pair?code=…&authority=…`) into the three flags. */
function unpack({ server, code, authority }: ServerFlags): ServerFlags {
  const url = server === undefined ? null : URL.parse(server)
  if (url === null || !PAIRING_PATH.test(url.pathname)) return { server, code, authority }
  const given = url.searchParams
  return {
    server: `${url.origin}${url.pathname.replace(PAIRING_PATH, '')}`,
    code: code ?? given.get('code') ?? undefined,
    authority: authority ?? given.get('authority') ?? undefined,
  }
}

function isHttpUrl(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text)
}
