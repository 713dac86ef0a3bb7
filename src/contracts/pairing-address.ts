/** What a person takes from the gateway to a phone that is to be paired: an address, and lines to run. */
import type { PairingAuthority } from '#contracts/device.ts'

/**
 * The fingerprint of the authority that a device must trust to reach this address; null where it needs none:
 * plain HTTP, or another port than the gateway's own, behind which a proxy shows its own certificate.
 */
export function fingerprintFor(url: string, authority: PairingAuthority | null): string | null {
  const { protocol, port } = new URL(url)
  if (authority === null || protocol !== 'https:') return null
  return Number(port || 443) === authority.port ? authority.fingerprint : null
}

/** The address that a phone opens, below the gateway's; also taken by `roost agent --server`. */
export function pairingAddress(
  gatewayUrl: string,
  { code, authority }: { readonly code: string; readonly authority: PairingAuthority | null },
): string {
  const fingerprint = fingerprintFor(gatewayUrl, authority)
  const pinned = fingerprint === null ? '' : `&authority=${fingerprint}`
  return `${gatewayUrl.replace(/\/+$/, '')}/device/v1/pair?code=${code}${pinned}`
}

export interface TermuxPairing {
  /** The gateway's address, without a slash at its end. */
  readonly server: string
  readonly code: string
  /** SHA-256 of the gateway's own authority, hexadecimal; null: its certificate is trusted anyway. */
  readonly fingerprint: string | null
}

/**
 * What is downloaded runs on the phone: with an authority that the phone does not know, its certificate comes
 * first and is compared with the fingerprint, and the rest is taken only from whom it vouches for.
 */
export function termuxLines({ server, code, fingerprint }: TermuxPairing): string {
  const agent = `${server}/device/v1/agent.mjs`
  const run = `node agent.mjs --server ${server} --code ${code}`
  if (fingerprint === null) return `curl -fsSO ${agent} && \\\n${run} --driver termux`
  return `curl -fsSkO ${server}/ca.pem && \\
node -e "const {X509Certificate: C} = require('crypto'); if (new C(require('fs').readFileSync('ca.pem')).\
fingerprint256.replace(/:/g, '').toLowerCase() !== '${fingerprint}') throw 'another authority'" && \\
curl -fsSO --cacert ca.pem ${agent} && \\
${run} \\
  --authority ${fingerprint} --driver termux`
}
