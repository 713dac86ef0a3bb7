/**
 * A problem that the owner must fix: its message is one sentence, and the agent ends with exit code 1.
 */
export class AgentError extends Error {
  override readonly name = 'AgentError'
}

const CERTIFICATE_CODE =
  /^(?:DEPTH_ZERO_SELF_SIGNED_CERT|SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_(?:GET|VERIFY)_\w+)$/
const TRUST = "its certificate is not trusted: name its authority's file in NODE_EXTRA_CA_CERTS=/path/ca.pem"

/** The message of anything thrown. */
export function reasonOf(thrown: unknown): string {
  if (CERTIFICATE_CODE.test(systemCode(thrown) ?? '')) return TRUST
  return thrown instanceof Error ? thrown.message : String(thrown)
}

/** The system's name of a failed call (`ENOENT`), or null. */
export function systemCode(thrown: unknown): string | null {
  if (!(thrown instanceof Error) || !('code' in thrown)) return null
  return typeof thrown.code === 'string' ? thrown.code : null
}
