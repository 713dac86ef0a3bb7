/** The address and the shell commands with which a person pairs a phone. */
import type { PairingAuthority } from '#contracts/device.ts'

/**
 * The fingerprint of the certificate authority that a device must trust to open this address. Null for plain
 * HTTP, and for a port that is not the gateway's own: there a proxy presents its own certificate.
 */
export function fingerprintFor(url: string, authority: PairingAuthority | null): string | null {
  const { protocol, port } = new URL(url)
  if (authority === null || protocol !== 'https:') return null
  return Number(port || 443) === authority.port ? authority.fingerprint : null
}

/** Path of the pairing page, below the gateway's address. */
export const PAIRING_PATH = '/device/v1/pair'

/** The address that a phone opens to pair. `roost agent --server` also accepts it. */
export function pairingAddress(
  gatewayUrl: string,
  { code, authority }: { readonly code: string; readonly authority: PairingAuthority | null },
): string {
  const fingerprint = fingerprintFor(gatewayUrl, authority)
  const pinned = fingerprint === null ? '' : `&authority=${fingerprint}`
  return `${gatewayUrl.replace(/\/+$/, '')}${PAIRING_PATH}?code=${code}${pinned}`
}

/**
 * The address to type into SMSGate's cloud mode: below this address of the gateway, or below the HTTPS port
 * that the gateway has beside plain HTTP. Null: the gateway knows no HTTPS address, and the usual build of
 * the app accepts no other.
 */
export function smsgateCloudAddress(gatewayUrl: string, authority: PairingAuthority | null): string | null {
  const { protocol, hostname } = new URL(gatewayUrl)
  if (protocol === 'https:') return `${gatewayUrl.replace(/\/+$/, '')}/smsgate/v1`
  return authority === null ? null : `https://${hostname}:${authority.port}/smsgate/v1`
}

/** The gateway's address in a pairing address. */
export function serverOfPairing(pairUrl: string): string {
  return pairUrl.slice(0, pairUrl.lastIndexOf(PAIRING_PATH))
}

export interface PairingParameters {
  /** The gateway's address, without a slash at its end. */
  readonly server: string
  readonly code: string
  /** SHA-256 of the gateway's own authority, hexadecimal; null: the phone need not trust this authority. */
  readonly fingerprint: string | null
}

/**
 * Shell commands that download the agent in Termux and pair the phone. With a fingerprint, they first
 * download the authority's certificate and compare it with the fingerprint. Then they download the agent only
 * from a server with a certificate from this authority, because the downloaded program runs on the phone.
 */
export function termuxCommands({ server, code, fingerprint }: PairingParameters): string {
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

/**
 * A shell command that pairs a phone which prints the texts instead of sending them. Each code has a state
 * file of its own, because an agent refuses to pair again with the file of another phone.
 */
export function pretendPhoneCommand({ server, code, fingerprint }: PairingParameters): string {
  const trusted = fingerprint === null ? '' : ` --authority ${fingerprint}`
  const nameAndState = `--name "Pretend phone" --state pretend-phone-${code}.json`
  return `roost agent --server ${server} --code ${code}${trusted} ${nameAndState} --driver log`
}

/** Starts the newest pretend phone again, in the folder with its state file. */
export const PRETEND_PHONE_AGAIN =
  'roost agent --state "$(ls -t pretend-phone-*.json | head -n 1)" --driver log'
