/** The checks of ModemManager, of polkit, and of each modem. */
import type { Check, CheckFinding, ModemFacts, ModemOfMachine } from '#domain/doctor/facts.ts'
import { findingsOf, isUnreadable } from '#domain/doctor/make-findings.ts'

const report = findingsOf('MODEM')

const modems: Check = ({ modems: facts }) => {
  if (facts === null) return [report.ok('devices.modems is off: modems are left alone')]
  if (isUnreadable(facts)) return [report.unknown(facts.unreadable)]
  const found = [
    ...checkManager(facts),
    ...checkPolkit(facts),
    ...facts.modems.flatMap(modem => checkModem(modem, facts.phones.includes(modem.imei))),
    ...facts.routers.map(name =>
      report.ok(`${name} is a small router (HiLink), not a modem: texts cannot be sent with it`),
    ),
  ]
  return found.length > 0 ? found : [report.ok('ModemManager runs, and sees no modem')]
}

/** `no-bus`, `not-running`, or a sentence: what to say, and what to do. */
function describeTrouble(trouble: string): readonly [string, string] {
  if (trouble === 'no-bus')
    return [
      'D-Bus cannot be reached, through which ModemManager drives modems',
      'Start it: sudo systemctl start dbus. A container needs /run/dbus/system_bus_socket of its machine.',
    ]
  if (trouble === 'not-running')
    return [
      'ModemManager does not run',
      'Install it: sudo apt install modemmanager. Start it: sudo systemctl enable --now ModemManager',
    ]
  return [`Modems cannot be used: ${trouble}`, 'Start it again: sudo systemctl restart ModemManager']
}

function checkManager({ trouble, phones, modems: seen }: ModemFacts): CheckFinding[] {
  if (trouble !== null) {
    const [message, fix] = describeTrouble(trouble)
    if (phones.length === 0) return [report.ok(`No modem is a phone. ${message}`)]
    return [report.critical(message, fix)]
  }
  return phones
    .filter(imei => seen.every(modem => modem.imei !== imei))
    .map(imei =>
      report.warning(
        `ModemManager does not see the modem ${imei}, which is a phone`,
        'Is it plugged in? mmcli -L lists what ModemManager sees. Remove the phone if it is gone for good.',
        imei,
      ),
    )
}

function checkPolkit({ trouble, refused, user, modems: seen, phones }: ModemFacts): CheckFinding[] {
  if (trouble !== null || (phones.length === 0 && seen.length === 0)) return []
  if (refused === null) return [report.unknown(`polkit does not say whether ${user} may use modems`)]
  if (refused.length === 0) return [report.ok(`polkit lets ${user} use modems`)]
  const message = `polkit does not let ${user} use modems (${refused.join(', ')})`
  const fix =
    'Run the gateway as the service of the Debian package or of roost service install, which bring the ' +
    'rule, or write one for this user.'
  return [phones.length > 0 ? report.critical(message, fix) : report.warning(message, fix)]
}

const CONDITIONS: Readonly<Record<ModemOfMachine['condition'], readonly [string, string]>> = {
  registered: ['is ready', ''],
  off: ['is switched off or starting', 'Wait a minute: Roost switches a modem on that is a phone.'],
  'no-sim': ['has no SIM', 'Put in a SIM, and plug the modem in again.'],
  failed: ['is out of order', 'Unplug it, and plug it in again.'],
  'asks-for-pin': [
    'waits for the PIN of its SIM',
    'Give it: roost device add modem --pin-stdin, or the page of the phone if it is one already.',
  ],
  blocked: ['has a SIM that is blocked', 'Unblock it in a phone, with its PUK.'],
  'no-texts': ['cannot send texts', 'Use another modem, or another firmware of it.'],
  denied: ['is refused by the network', 'Is its SIM activated, and is its contract paid?'],
  'no-service': ['has no service', 'Move it or its antenna, and check that the SIM is activated.'],
}

function checkModem(modem: ModemOfMachine, isPhone: boolean): CheckFinding[] {
  const { imei, model, operator, signal, condition, isRoaming } = modem
  const [state, fix] = CONDITIONS[condition]
  const network = [operator, signal === null ? null : `signal ${signal} %`].filter(one => one !== null)
  const more = condition === 'registered' && network.length > 0 ? ` (${network.join(', ')})` : ''
  const message = `${model || 'The modem'} ${imei} ${state}${more}`
  if (!isPhone) return [report.ok(`${message}; it is no phone yet: roost device add modem`, imei)]
  if (condition !== 'registered') return [report.warning(message, fix, imei)]
  if (isRoaming)
    return [
      report.warning(
        `${message}, and is roaming: texts may cost more`,
        'Use a SIM of this country, or set a cap for this phone.',
        imei,
      ),
    ]
  return [report.ok(message, imei)]
}

export const MODEM_CHECKS: readonly Check[] = [modems]
