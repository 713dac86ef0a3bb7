import { errors } from 'undici'
import type { DeliveryError } from '#contracts/notification-attempt.ts'

/** The reason when the deliverer itself aborts an attempt: its time is over, or the gateway stops. */
export class DeliveryAbort extends Error {
  override readonly name = 'DeliveryAbort'
  readonly code: 'TIMEOUT' | 'STOPPED'

  constructor(code: 'TIMEOUT' | 'STOPPED') {
    super(code)
    this.code = code
  }
}

/**
 * Errors of Node, OpenSSL and undici by their codes. Unlike their messages, codes do not change with
 * versions.
 */
const BY_CODE: Readonly<Record<string, DeliveryError>> = {
  TIMEOUT: 'TIMEOUT',
  STOPPED: 'STOPPED',
  REFUSED_TARGET: 'REFUSED_TARGET',
  ENOTFOUND: 'DNS',
  EAI_AGAIN: 'DNS',
  EAI_FAIL: 'DNS',
  EAI_NODATA: 'DNS',
  ENODATA: 'DNS',
  ESERVFAIL: 'DNS',
  UND_ERR_CONNECT_TIMEOUT: 'CONNECT_TIMEOUT',
  ETIMEDOUT: 'CONNECT_TIMEOUT',
  ECONNREFUSED: 'CONNECTION_REFUSED',
  EHOSTUNREACH: 'UNREACHABLE',
  ENETUNREACH: 'UNREACHABLE',
  EHOSTDOWN: 'UNREACHABLE',
  EADDRNOTAVAIL: 'UNREACHABLE',
  EACCES: 'UNREACHABLE',
  EPERM: 'UNREACHABLE',
  ECONNRESET: 'RESET',
  ECONNABORTED: 'RESET',
  EPIPE: 'RESET',
  UND_ERR_SOCKET: 'RESET',
  UND_ERR_HEADERS_OVERFLOW: 'PROTOCOL',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'PROTOCOL',
  UND_ERR_HEADERS_TIMEOUT: 'TIMEOUT',
  UND_ERR_BODY_TIMEOUT: 'TIMEOUT',
  UND_ERR_DESTROYED: 'STOPPED',
  UND_ERR_CLOSED: 'STOPPED',
  CERT_HAS_EXPIRED: 'TLS_EXPIRED',
  CERT_NOT_YET_VALID: 'TLS_EXPIRED',
  ERR_TLS_CERT_ALTNAME_INVALID: 'TLS_NAME_MISMATCH',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'TLS_UNTRUSTED',
  SELF_SIGNED_CERT_IN_CHAIN: 'TLS_UNTRUSTED',
  UNABLE_TO_GET_ISSUER_CERT: 'TLS_UNTRUSTED',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'TLS_UNTRUSTED',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'TLS_UNTRUSTED',
  CERT_UNTRUSTED: 'TLS_UNTRUSTED',
  CERT_REVOKED: 'TLS_UNTRUSTED',
  INVALID_CA: 'TLS_UNTRUSTED',
  INVALID_PURPOSE: 'TLS_UNTRUSTED',
  EPROTO: 'TLS',
}

/** The public error code for a failure; `OTHER`: unexpected. */
export function deliveryErrorOf(error: unknown): DeliveryError {
  if (!(error instanceof Error)) return 'OTHER'
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const known = BY_CODE[code]
  if (known !== undefined) return known
  if (error instanceof errors.HTTPParserError) return 'PROTOCOL'
  if (code.startsWith('ERR_SSL_') || code.startsWith('ERR_TLS_')) return 'TLS'
  return error.cause === undefined ? 'OTHER' : deliveryErrorOf(error.cause)
}
