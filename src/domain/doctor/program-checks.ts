/** The checks of the configuration, the running gateway, the service and the ports. */
import type { Check, CheckFinding, PortFacts } from '#domain/doctor/facts.ts'
import { findingsOf, isUnreadable } from '#domain/doctor/make-findings.ts'
import { count } from '#domain/words.ts'

const configuration: Check = ({ configuration: { file, faults, unknownVariables } }) => {
  const report = findingsOf('CONFIGURATION')
  const wrong = faults.map(({ path, message }) =>
    report.critical(`${path}: ${message}`, 'Correct it, then check the file with: roost check-config', file),
  )
  const unknown = unknownVariables.map(name =>
    report.warning(
      `${name} is not a known configuration variable and is ignored`,
      'Correct its name, or remove it.',
      name,
    ),
  )
  if (wrong.length > 0) return [...wrong, ...unknown]
  const message =
    file === null ? 'There is no configuration file: all settings have their defaults' : `${file} is valid`
  return [report.ok(message, file), ...unknown]
}

const gateway: Check = ({ gateway: { running, holder, ownVersion, unreachable } }) => {
  const report = findingsOf('GATEWAY')
  if (unreachable !== null) return report.critical(unreachable.message, unreachable.fix)
  if (running === null && holder !== null)
    return report.critical(
      `The process ${holder} has locked the data directory and does not answer`,
      'If it does not start within a minute, restart it: sudo systemctl restart roost',
    )
  if (running === null)
    return report.critical(
      'The gateway is not running',
      'Start it: sudo systemctl start roost, or roost serve',
    )
  const { version, pid, unreadForwarded } = running
  if (version !== ownVersion)
    return report.warning(
      `Roost ${version} runs, but ${ownVersion} is installed`,
      'Restart the gateway: sudo systemctl restart roost',
    )
  if (unreadForwarded !== null)
    return report.warning(
      `A trusted proxy names its caller in a way that cannot be read: ${unreadForwarded}`,
      'Set http.forwarded to the header that the proxy writes, and let it write an address there.',
    )
  return report.ok(`Roost ${version} runs (process ${pid})`)
}

const service: Check = ({ service: facts, gateway: { running } }) => {
  const report = findingsOf('SERVICE')
  if (facts === null)
    return report.unknown(
      'There is no systemd here: it is unknown what starts the gateway after a power cut',
      'Let the service manager of this machine or a container start it: roost serve',
    )
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  if (!facts.installed)
    return report.warning(
      'No service is installed: nothing starts the gateway after a power cut',
      'Install it: sudo roost service install',
    )
  if (!facts.isOurs) return report.ok('The service of this machine runs another gateway')
  const found: CheckFinding[] = []
  if (facts.failed) {
    const reason = facts.status.replace(/^Failed: /, '') || 'it ended'
    found.push(report.critical(`The service failed: ${reason}`, 'See: journalctl -u roost'))
  }
  if (!facts.enabled)
    found.push(
      report.warning('The service does not start with the machine', 'Run: sudo systemctl enable roost'),
    )
  if (!facts.hasWatchdog)
    found.push(
      report.warning(
        'The service has no watchdog: a gateway that hangs is not restarted',
        'Remove WatchdogSec= from your changes to the unit (systemctl cat roost).',
      ),
    )
  if (facts.restarts > 0)
    found.push(
      report.warning(
        `systemd restarted the gateway ${count(facts.restarts, 'time', 'times')} since the service started`,
        'See why: journalctl -u roost',
      ),
    )
  if (running !== null && facts.pid !== running.pid)
    found.push(
      report.warning(
        'The running gateway was started by hand, not by the service',
        `Stop it (kill ${running.pid}), then: sudo systemctl start roost`,
      ),
    )
  return found.length > 0 ? found : report.ok('The service is installed, enabled and has a watchdog')
}

const ports: Check = ({ ports: facts, gateway: { running, holder } }) => {
  const report = findingsOf('PORT')
  if (isUnreadable(facts)) return report.unknown(facts.unreadable)
  const { host, endpoints } = facts
  if (facts.ports.length === 0) return report.ok('The gateway uses any free port')
  const isAnyPort = endpoints.http === 0
  const isOwn = (port: number) => running !== null && (port === running.port || port === endpoints.https)
  return facts.ports.flatMap(({ port, answer }) => {
    const subject = `${host}:${port}`
    if (answer === 'used' && isOwn(port)) return report.ok(`The gateway listens on port ${port}`, subject)
    if (answer === 'free' && running !== null && !isAnyPort)
      return report.warning(
        `The configuration says port ${port}, but the gateway listens on ${running.port}`,
        'Restart the gateway: sudo systemctl restart roost',
        subject,
      )
    if (answer === 'used' && holder !== null)
      return report.unknown(`Port ${port} is in use, perhaps by the process ${holder}`)
    return describePort({ port, answer, subject })
  })
}

type CheckedPort = PortFacts['ports'][number] & { readonly subject: string }

function describePort({ port, answer, subject }: CheckedPort): CheckFinding {
  const report = findingsOf('PORT')
  if (answer === 'free') return report.ok(`Port ${port} is free`, subject)
  if (answer === 'used')
    return report.critical(
      `Another program uses port ${port}`,
      `Stop it (sudo ss -ltnp 'sport = :${port}' names it), or set http.port to another port.`,
      subject,
    )
  if (answer === 'forbidden')
    return report.critical(
      `Only root may listen on port ${port}, because it is below 1024`,
      'Set http.port to a higher port, or give the service CAP_NET_BIND_SERVICE.',
      subject,
    )
  return report.critical(
    `This machine does not have the address of ${subject}`,
    'Set http.host to 0.0.0.0, or to an address of this machine (ip addr).',
    subject,
  )
}

export const PROGRAM_CHECKS: readonly Check[] = [configuration, gateway, service, ports]
