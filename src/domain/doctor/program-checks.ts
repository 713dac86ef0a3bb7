/** The checks of the configuration, the running gateway, the service and the ports. */
import type { Check, CheckFinding, PortFacts } from '#domain/doctor/facts.ts'
import { findingsOf, isUnseen } from '#domain/doctor/make-findings.ts'

const configuration: Check = ({ configuration: { file, faults, unknownVariables } }) => {
  const tell = findingsOf('CONFIGURATION')
  const wrong = faults.map(({ path, message }) =>
    tell.critical(`${path}: ${message}`, 'Correct it, then look with: roost check-config', file),
  )
  const unknown = unknownVariables.map(name =>
    tell.warning(`${name} names no key and is left alone`, 'Correct its name, or remove it.', name),
  )
  if (wrong.length > 0) return [...wrong, ...unknown]
  const fine = file === null ? 'No file is there: everything is as built in' : `${file} is in order`
  return [tell.ok(fine, file), ...unknown]
}

const gateway: Check = ({ gateway: { running, holder, ownVersion, unreachable } }) => {
  const tell = findingsOf('GATEWAY')
  if (unreachable !== null) return [tell.critical(unreachable.message, unreachable.fix)]
  if (running === null && holder !== null)
    return [
      tell.critical(
        `The process ${holder} holds the data directory and does not answer`,
        'If it does not start within a minute, restart it: sudo systemctl restart roost',
      ),
    ]
  if (running === null)
    return [
      tell.critical('The gateway is not running', 'Start it: sudo systemctl start roost, or roost serve'),
    ]
  const { version, pid } = running
  if (version !== ownVersion)
    return [
      tell.warning(
        `Roost ${version} runs, but ${ownVersion} is installed`,
        'Restart the gateway: sudo systemctl restart roost',
      ),
    ]
  return [tell.ok(`Roost ${version} runs (process ${pid})`)]
}

const service: Check = ({ service: facts, gateway: { running } }) => {
  const tell = findingsOf('SERVICE')
  if (isUnseen(facts)) return [tell.unknown(facts.unseen)]
  if (!facts.installed)
    return [
      tell.warning(
        'No service is installed: nothing starts the gateway after a power cut',
        'Install it: sudo roost service install',
      ),
    ]
  if (!facts.isOurs) return [tell.ok('The service of this machine is another gateway')]
  const found: CheckFinding[] = []
  if (facts.failed) {
    const reason = facts.status.replace(/^Failed: /, '') || 'it ended'
    found.push(tell.critical(`The service failed: ${reason}`, 'See: journalctl -u roost'))
  }
  if (!facts.enabled)
    found.push(
      tell.warning('The service does not start with the machine', 'Run: sudo systemctl enable roost'),
    )
  if (!facts.hasWatchdog)
    found.push(
      tell.warning(
        'The service has no watchdog: a gateway that hangs is not restarted',
        'Remove WatchdogSec= from your changes of the unit (systemctl cat roost).',
      ),
    )
  if (facts.restarts > 0)
    found.push(
      tell.warning(
        `systemd has restarted the gateway since you started it, ${facts.restarts} in all`,
        'See why: journalctl -u roost',
      ),
    )
  if (running !== null && facts.pid !== running.pid)
    found.push(
      tell.warning(
        'The gateway that runs was started by hand, not by the service',
        `Stop it (kill ${running.pid}), then: sudo systemctl start roost`,
      ),
    )
  return found.length > 0 ? found : [tell.ok('The service is installed, enabled and has a watchdog')]
}

const ports: Check = ({ ports: facts, gateway: { running, holder } }) => {
  const tell = findingsOf('PORT')
  if (isUnseen(facts)) return [tell.unknown(facts.unseen)]
  const { host, endpoints } = facts
  if (facts.ports.length === 0) return [tell.ok('Any free port is taken')]
  const isAnyPort = endpoints.http === 0
  const isOwn = (port: number) => running !== null && (port === running.port || port === endpoints.https)
  return facts.ports.flatMap(({ port, answer }) => {
    const subject = `${host}:${port}`
    if (answer === 'used' && isOwn(port)) return [tell.ok(`The gateway has port ${port}`, subject)]
    if (answer === 'free' && running !== null && !isAnyPort)
      return [
        tell.warning(
          `The configuration says port ${port}, the gateway listens on ${running.port}`,
          'Restart the gateway: sudo systemctl restart roost',
          subject,
        ),
      ]
    if (answer === 'used' && holder !== null)
      return [tell.unknown(`Port ${port} is in use, perhaps by the process ${holder}`)]
    return portAnswer({ port, answer, subject })
  })
}

type PortAsked = PortFacts['ports'][number] & { readonly subject: string }

function portAnswer({ port, answer, subject }: PortAsked): CheckFinding[] {
  const tell = findingsOf('PORT')
  if (answer === 'free') return [tell.ok(`Port ${port} is free`, subject)]
  if (answer === 'used')
    return [
      tell.critical(
        `Another program has port ${port}`,
        `Stop it (sudo ss -ltnp 'sport = :${port}' names it), or set http.port to another one.`,
        subject,
      ),
    ]
  if (answer === 'forbidden')
    return [
      tell.critical(
        `Port ${port} is for root: ports below 1024 are`,
        'Set http.port to a higher one, or give the service CAP_NET_BIND_SERVICE.',
        subject,
      ),
    ]
  return [
    tell.critical(
      `This machine does not have the address of ${subject}`,
      'Set http.host to 0.0.0.0, or to an address of this machine (ip addr).',
      subject,
    ),
  ]
}

export const PROGRAM_CHECKS: readonly Check[] = [configuration, gateway, service, ports]
