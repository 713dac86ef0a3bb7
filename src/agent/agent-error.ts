/**
 * A problem that the owner must fix: its message is one sentence, and the agent ends with exit code 1.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}

/** Which authorities are trusted: those built into Node.js, or the one that this device was paired with. */
export type Trust = 'built-in' | 'pinned'

/** @param ca the pinned authority (PEM); undefined if none was pinned */
export function trustOf(ca: string | undefined): Trust {
  return ca === undefined ? 'built-in' : 'pinned'
}

const UNTRUSTED_CODE =
  /^(?:\w*SELF_SIGNED_CERT(?:_IN_CHAIN)?|CERT_SIGNATURE_FAILURE|UNABLE_TO_(?:GET|VERIFY)_\w+)$/
const UNTRUSTED: Readonly<Record<Trust, string>> = {
  'built-in':
    'its certificate is not trusted: add --authority with the fingerprint of `roost certificate show`, or ' +
    'pass the file of its authority in NODE_EXTRA_CA_CERTS=/path/ca.pem',
  pinned:
    'its certificate is not from the authority that this device was paired with: if the gateway has a new ' +
    'one, start once with --authority and the fingerprint of `roost certificate show`; if it has not, ' +
    'another server answers at its address',
}
const OTHER_FAULTS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'its certificate has expired: run `roost certificate renew` on the gateway',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet: set the clock of this device',
}

/** Describes a thrown value as a reason. `trust`: which authorities the connection trusted. */
export function reasonOf(thrown: unknown, trust: Trust = 'built-in'): string {
  const code = systemCode(thrown) ?? ''
  if (UNTRUSTED_CODE.test(code)) return UNTRUSTED[trust]
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return wrongName(thrown)
  return OTHER_FAULTS[code] ?? (thrown instanceof Error ? thrown.message : String(thrown))
}

function wrongName(thrown: unknown): string {
  const { host = 'NAME' } = thrown as { readonly host?: string }
  const fix = `\`roost certificate create --name ${host}\``
  return `its certificate does not name ${host}: run ${fix} on the gateway`
}

/** The error code of a failed system call, such as `ENOENT`. Null: the error has none. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null
  return typeof thrown.code === 'string' ? thrown.code : null
}
