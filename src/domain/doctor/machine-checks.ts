/** The checks of certificate, clock, memory and network. */

import { CERTIFICATE_LEFT_MS_MIN, CLOCK_MS_MIN } from '#contracts/bounds.ts'
import type { CertificateFacts, Check, CheckFinding, ServedCertificate } from '#domain/doctor/facts.ts'
import { findingsOf, isUnreadable } from '#domain/doctor/make-findings.ts'
import { count, spanInWords } from '#domain/words.ts'

/** Free memory that a gateway needs to start; it uses 70 MB at rest and 120 MB under load. */
const MEMORY_AVAILABLE_BYTES_MIN = 150_000_000
/** Free memory that should be left beside a gateway that runs. */
const MEMORY_LEFT_BYTES_MIN = 50_000_000
/** Smallest sufficient memory limit of the service: sending at full pace peaked at 121 MB. */
const MEMORY_LIMIT_BYTES_MIN = 134_217_728
/** Warn this long before the gateway's own authority expires: people must install the next one by hand. */
const AUTHORITY_LEFT_MS_MIN = 90 * 86_400_000
/** A time server may correct the clock of a running gateway by this much without a warning. */
const CLOCK_STEP_MS_MAX = 300_000

/** Leaves out a certificate that expires soon: a running gateway reports that (CERTIFICATE_EXPIRING). */
const certificate: Check = ({ certificate: { served, authority }, gateway: { running }, now }) => {
  const report = findingsOf('CERTIFICATE')
  if (served === null) return report.ok('Plain HTTP is served: there is no certificate')
  if (isUnreadable(served))
    return report.critical(
      served.unreadable,
      'Run: roost certificate create, or set http.tls_cert_file to a certificate file.',
    )
  const found: CheckFinding[] = [...certificateFaults(served, authority)]
  const { file, notBefore, notAfter } = served
  if (running === null && notAfter <= now)
    found.push(
      report.critical(
        `The certificate expired on ${day(notAfter)}: phones and programs refuse it`,
        authority === null ? 'Replace it.' : 'Run: roost certificate renew.',
        file,
      ),
    )
  if (notBefore > now)
    found.push(
      report.critical(
        `The certificate is not valid before ${day(notBefore)}`,
        'Set the clock of this machine, or make a new certificate: roost certificate renew',
        file,
      ),
    )
  const authorityLeftMs = (authority?.notAfter ?? Number.POSITIVE_INFINITY) - now
  if (authority !== null && authorityLeftMs < AUTHORITY_LEFT_MS_MIN)
    found.push(
      report.warning(
        `Roost’s own authority ${authorityLeftMs > 0 ? 'expires' : 'expired'} on ${day(authority.notAfter)}`,
        'Move authority.pem and certificate.pem away, run roost certificate create, and install the new ' +
          'authority on phones and computers.',
        authority.file,
      ),
    )
  if (found.length === 0 && notAfter - now >= CERTIFICATE_LEFT_MS_MIN)
    found.push(report.ok(`The certificate is valid until ${day(notAfter)}`, file))
  return found
}

/** Faults for which clients refuse the certificate, whatever the date. */
function certificateFaults(
  { file, keyFault, lacksName }: ServedCertificate,
  authority: CertificateFacts['authority'],
): readonly CheckFinding[] {
  const report = findingsOf('CERTIFICATE')
  const renew = 'Make a new one: roost certificate renew.'
  const found: CheckFinding[] = []
  if (keyFault !== null)
    found.push(
      report.critical(
        `The certificate cannot be served: ${keyFault}`,
        authority === null ? 'Set http.tls_key_file to the key of this certificate.' : renew,
        file,
      ),
    )
  if (authority?.signedIt === false)
    found.push(
      report.critical(
        'The certificate is not from Roost’s own authority: devices that trust this authority refuse it',
        renew,
        file,
      ),
    )
  if (lacksName !== null)
    found.push(
      report.critical(
        `The certificate does not name ${lacksName}, the host of public_url: clients refuse it there`,
        authority === null
          ? 'Get a certificate for this name, or set public_url to a name in the certificate.'
          : `Run: roost certificate create --name ${lacksName}.`,
        file,
      ),
    )
  return found
}

function day(wallMs: number): string {
  return new Date(wallMs).toISOString().slice(0, 10)
}

/** Leaves out a clock far in the past: a health rule reports that (CLOCK_WRONG). */
const clock: Check = ({ clock: { isSynchronised, steppedMs }, now }) => {
  const report = findingsOf('CLOCK')
  const found: CheckFinding[] = []
  if (isSynchronised === false)
    found.push(
      report.warning(
        'The clock is not set by a time server',
        'Run: sudo timedatectl set-ntp true. If it is already on, allow UDP port 123 in the router.',
      ),
    )
  if (steppedMs !== null && Math.abs(steppedMs) > CLOCK_STEP_MS_MAX)
    found.push(
      report.warning(
        `The clock was set ${steppedMs > 0 ? 'forward' : 'back'} by ${spanInWords(Math.abs(steppedMs))} ` +
          'since the gateway started: times of earlier messages are off by as much',
        'Nothing is lost. Turn time synchronisation on, and give the machine a battery-backed clock.',
      ),
    )
  if (found.length > 0 || now < CLOCK_MS_MIN) return found
  return isSynchronised === null
    ? report.unknown('It is unknown whether a time server sets the clock: timedatectl does not answer')
    : report.ok('A time server sets the clock')
}

const memory: Check = ({ memory: facts, gateway: { running } }) => {
  const report = findingsOf('MEMORY')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { availableBytes, totalBytes, limitBytes, kills } = facts
  const found: CheckFinding[] = []
  if (kills !== null && kills > 0)
    found.push(
      report.warning(
        `The kernel ended ${count(kills, 'process', 'processes')} of the gateway because memory ran out`,
        'Raise MemoryMax= of the unit (systemctl edit roost), or stop other programs.',
      ),
    )
  if (limitBytes !== null && limitBytes < MEMORY_LIMIT_BYTES_MIN)
    found.push(
      report.warning(
        `The memory of the gateway is limited to ${megabytes(limitBytes)}; it needs up to 121 MB`,
        'Raise MemoryMax= of the unit (systemctl edit roost) to 192M or more.',
      ),
    )
  const needed = running === null ? MEMORY_AVAILABLE_BYTES_MIN : MEMORY_LEFT_BYTES_MIN
  if (availableBytes < needed)
    found.push(
      report.warning(
        `Only ${megabytes(availableBytes)} of memory are available`,
        'Stop programs that use much memory (run top and press M), or add swap on zram.',
      ),
    )
  if (found.length > 0) return found
  const limit = limitBytes === null ? 'no limit' : `the limit is ${megabytes(limitBytes)}`
  return report.ok(`${megabytes(availableBytes)} of ${megabytes(totalBytes)} are available, ${limit}`)
}

function megabytes(bytes: number): string {
  return `${Math.floor(bytes / 1e6)} MB`
}

const discovery: Check = ({ discovery: facts, gateway: { running } }) => {
  const report = findingsOf('DISCOVERY')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { isEnabled, isLocal, hasNetwork, isOwnHeard, others } = facts
  if (isLocal) return report.ok('Only this machine reaches the gateway (http.host): nothing is announced')
  if (!hasNetwork)
    return report.warning(
      'This machine has no address on a network',
      'Connect it to the network of the phones, so that they can reach the gateway.',
    )
  if (!isEnabled) return report.ok('discovery.enabled is false: nothing is announced')
  if (isOwnHeard) return report.ok('The mDNS announcement of the gateway is received on the network')
  const also = others.length === 0 ? '' : `; other gateways: ${others.join(', ')}`
  if (running === null) return report.unknown(`Nothing is announced while the gateway does not run${also}`)
  return report.warning(
    `The mDNS announcement of the gateway is not received on the network${also}`,
    'Open UDP port 5353 in the firewall of this machine, or pair with the QR code: roost device pair.',
  )
}

const broker: Check = ({ broker: facts }) => {
  const report = findingsOf('BROKER')
  if (facts === null) return report.ok('mqtt.url is empty: Home Assistant does not see the gateway')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { url, fault } = facts
  if (fault === null) return report.ok(`${url} accepts the login of the gateway`)
  return report.warning(
    `${url} cannot be reached: ${fault}`,
    'Start the broker, and compare mqtt.url, username and password_file with its settings.',
  )
}

export const MACHINE_CHECKS: readonly Check[] = [certificate, clock, memory, discovery, broker]
