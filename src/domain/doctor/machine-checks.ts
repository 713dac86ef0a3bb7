/** The checks of certificate, clock, memory and network. */
import {
  AUTHORITY_LEFT_MS_MIN,
  CLOCK_STEP_MS_MAX,
  MEMORY_AVAILABLE_BYTES_MIN,
  MEMORY_LEFT_BYTES_MIN,
  MEMORY_LIMIT_BYTES_MIN,
} from '#contracts/doctor-bounds.ts'
import { CERTIFICATE_LEFT_MS_MIN, CLOCK_MS_MIN } from '#contracts/health-bounds.ts'
import type { CertificateFacts, Check, CheckFinding, ServedCertificate } from '#domain/doctor/facts.ts'
import { findingsOf, isUnseen } from '#domain/doctor/make-findings.ts'
import { count, minutes } from '#domain/health/words.ts'

/** A running gateway itself reports a certificate that expires soon, so this check then does not. */
const certificate: Check = ({ certificate: { served, authority }, gateway: { running }, now }) => {
  const tell = findingsOf('CERTIFICATE')
  if (served === null) return [tell.ok('Plain HTTP is served: there is no certificate')]
  if (isUnseen(served))
    return [
      tell.critical(served.unseen, 'Make one: roost certificate create, or name one in http.tls_cert_file.'),
    ]
  const found: CheckFinding[] = [...wrongCertificate(served, authority)]
  const { file, notBefore, notAfter } = served
  if (running === null && notAfter <= now)
    found.push(
      tell.critical(
        `The certificate expired on ${day(notAfter)}: phones and programs refuse it`,
        authority === null ? 'Replace it.' : 'Run: roost certificate renew.',
        file,
      ),
    )
  if (notBefore > now)
    found.push(
      tell.critical(
        `The certificate is valid from ${day(notBefore)} on, so not yet`,
        'Set the clock of this machine, or make it again: roost certificate renew',
        file,
      ),
    )
  const authorityLeftMs = (authority?.notAfter ?? Number.POSITIVE_INFINITY) - now
  if (authority !== null && authorityLeftMs < AUTHORITY_LEFT_MS_MIN)
    found.push(
      tell.warning(
        `The own authority ${authorityLeftMs > 0 ? 'ends' : 'ended'} on ${day(authority.notAfter)}`,
        'Move authority.pem and certificate.pem away, run roost certificate create, install the new one.',
        authority.file,
      ),
    )
  if (found.length === 0 && notAfter - now >= CERTIFICATE_LEFT_MS_MIN)
    found.push(tell.ok(`The certificate is valid until ${day(notAfter)}`, file))
  return found
}

/** One that clients refuse whatever the time is. */
function wrongCertificate(
  { file, keyFault, lacksName }: ServedCertificate,
  authority: CertificateFacts['authority'],
): readonly CheckFinding[] {
  const tell = findingsOf('CERTIFICATE')
  const again = 'Make it again: roost certificate renew.'
  const found: CheckFinding[] = []
  if (keyFault !== null)
    found.push(
      tell.critical(
        `The certificate cannot be served: ${keyFault}`,
        authority === null ? 'Name the key that belongs to it in http.tls_key_file.' : again,
        file,
      ),
    )
  if (authority?.signedIt === false)
    found.push(
      tell.critical(
        'The certificate is not from the own authority: what trusts that one refuses it',
        again,
        file,
      ),
    )
  if (lacksName !== null)
    found.push(
      tell.critical(
        `The certificate does not name ${lacksName}, the host of the public address: clients refuse it there`,
        authority === null
          ? 'Get one that names it, or set public_url to a name that it has.'
          : `Run: roost certificate create --name ${lacksName}.`,
        file,
      ),
    )
  return found
}

function day(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10)
}

/** An impossible year is not reported here: it is one of the gateway's own problems. */
const clock: Check = ({ clock: { isSynchronised, steppedMs }, now }) => {
  const tell = findingsOf('CLOCK')
  const found: CheckFinding[] = []
  if (isSynchronised === false)
    found.push(
      tell.warning(
        'The clock is not set by a time server',
        'Turn that on: sudo timedatectl set-ntp true. If it is on, let UDP port 123 through the router.',
      ),
    )
  if (steppedMs !== null && Math.abs(steppedMs) > CLOCK_STEP_MS_MAX)
    found.push(
      tell.warning(
        `The clock was set ${steppedMs > 0 ? 'forward' : 'back'} by ${minutes(Math.abs(steppedMs))} ` +
          'since the gateway started: times of earlier messages are off by as much',
        'Nothing is lost. Turn time synchronisation on, and give the machine a battery-backed clock.',
      ),
    )
  if (found.length > 0 || now < CLOCK_MS_MIN) return found
  return isSynchronised === null
    ? [tell.unknown('Whether a time server sets the clock cannot be seen: timedatectl does not answer')]
    : [tell.ok('A time server sets the clock')]
}

const memory: Check = ({ memory: facts, gateway: { running } }) => {
  const tell = findingsOf('MEMORY')
  if (isUnseen(facts)) return [tell.unknown(facts.unseen)]
  const { availableBytes, totalBytes, limitBytes, kills } = facts
  const found: CheckFinding[] = []
  if (kills !== null && kills > 0)
    found.push(
      tell.warning(
        `The kernel ended ${count(kills, 'process', 'processes')} of the gateway for want of memory`,
        'Raise MemoryMax= of the unit (systemctl edit roost), or stop other programs.',
      ),
    )
  if (limitBytes !== null && limitBytes < MEMORY_LIMIT_BYTES_MIN)
    found.push(
      tell.warning(
        `The memory of the gateway is limited to ${megabytes(limitBytes)}; it needs up to 121 MB`,
        'Raise MemoryMax= of the unit (systemctl edit roost) to 192M or more.',
      ),
    )
  const needed = running === null ? MEMORY_AVAILABLE_BYTES_MIN : MEMORY_LEFT_BYTES_MIN
  if (availableBytes < needed)
    found.push(
      tell.warning(
        `Only ${megabytes(availableBytes)} of memory are available`,
        'Stop programs that need much of it (top, sorted with M), or add swap on zram.',
      ),
    )
  if (found.length > 0) return found
  const limit = limitBytes === null ? 'no limit' : `the limit is ${megabytes(limitBytes)}`
  return [tell.ok(`${megabytes(availableBytes)} of ${megabytes(totalBytes)} are available, ${limit}`)]
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6)} MB`
}

const discovery: Check = ({ discovery: facts, gateway: { running } }) => {
  const tell = findingsOf('DISCOVERY')
  if (isUnseen(facts)) return [tell.unknown(facts.unseen)]
  const { isEnabled, isLocal, hasNetwork, isOwnHeard, others } = facts
  if (isLocal) return [tell.ok('Only this machine reaches the gateway (http.host): nothing is announced')]
  if (!hasNetwork)
    return [
      tell.warning('This machine has no address on a network', 'Connect it: phones reach the gateway there.'),
    ]
  if (!isEnabled) return [tell.ok('discovery.enabled is false: nothing is announced')]
  if (isOwnHeard) return [tell.ok('The gateway is heard on the network by mDNS')]
  const also = others.length === 0 ? '' : `; others are: ${others.join(', ')}`
  if (running === null) return [tell.unknown(`Nothing is announced while the gateway does not run${also}`)]
  return [
    tell.warning(
      `The gateway is not heard on the network by mDNS${also}`,
      'Let UDP port 5353 through the firewall of this machine, or pair by the QR code: roost device pair.',
    ),
  ]
}

export const MACHINE_CHECKS: readonly Check[] = [certificate, clock, memory, discovery]
