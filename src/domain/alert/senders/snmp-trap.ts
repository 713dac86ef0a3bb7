import { type Body, oncePerBody } from '#domain/alert/body.ts'
import type { Sender } from '#domain/alert/sender.ts'
import { joinWords, withPlace } from '#domain/alert/text/join-words.ts'
import { readState, type State, tokensOf } from '#domain/alert/vocabulary/states.ts'
import { wordTable } from '#domain/alert/vocabulary/word-table.ts'

/** What snmptrapd gives a `traphandle`: the host, the address, and an object and its value a line. */
const TRAP = /^(\S+)\n(?:UDP|TCP|DTLSUDP|UNIX|[\w ]*IPv6): ?\[?([\w.:]+)[^\n]*\n(?=[\w.:-]+ )/
/** `snmpTrapOID.0`, and the trap that it names, with or without MIBs. */
const TRAP_NAME = /^\S*(?:6\.3\.1\.1\.4\.1|snmpTrapOID)\.0 (\S+)$/m
const PORT = /^\S*(?:2\.2\.1\.1|ifIndex)\.(\d+) /m
const TEXT = /^\S+ "([^"\n]*)"$/gm
/** The traps of SNMPv2-MIB, IF-MIB, UPS-MIB and APC's PowerNet-MIB, by the end of their numbers. */
const NAMES: readonly (readonly [end: RegExp, name: string])[] = [
  [/6\.3\.1\.1\.5\.1$/, 'coldStart'],
  [/6\.3\.1\.1\.5\.2$/, 'warmStart'],
  [/6\.3\.1\.1\.5\.3$/, 'linkDown'],
  [/6\.3\.1\.1\.5\.4$/, 'linkUp'],
  [/6\.3\.1\.1\.5\.5$/, 'authenticationFailure'],
  [/1\.33\.2\.1$/, 'upsTrapOnBattery'],
  [/1\.33\.2\.3$/, 'upsTrapAlarmEntryAdded'],
  [/1\.33\.2\.4$/, 'upsTrapAlarmEntryRemoved'],
  [/\.318\.0\.1$/, 'communicationLost'],
  [/\.318\.0\.5$/, 'upsOnBattery'],
  [/\.318\.0\.7$/, 'lowBattery'],
  [/\.318\.0\.8$/, 'communicationEstablished'],
  [/\.318\.0\.9$/, 'powerRestored'],
]
/** The problem that a trap ends, by the name of the trap, and the words of the others. */
const PROBLEMS = wordTable<readonly [problem: string, state: State]>({
  upstraponbattery: ['supply', { word: 'ON BATTERY', kind: 'bad', severity: 'warning' }],
  upsonbattery: ['supply', { word: 'ON BATTERY', kind: 'bad', severity: 'warning' }],
  lowbattery: ['supply', { word: 'LOW BATTERY', kind: 'bad', severity: 'critical' }],
  powerrestored: ['supply', { word: 'POWER BACK', kind: 'good', isSure: true }],
  communicationlost: ['reach', { word: 'COMM LOST', kind: 'bad', severity: 'warning' }],
  communicationestablished: ['reach', { word: 'COMM RESTORED', kind: 'good', isSure: true }],
  upstrapalarmentryadded: ['alarm', { word: 'ALARM', kind: 'weak' }],
  upstrapalarmentryremoved: ['alarm', { word: 'CLEAR', kind: 'good' }],
})

interface Trap {
  readonly host: string
  readonly name: string
  readonly port: string
  readonly texts: readonly string[]
}

const trapOf = oncePerBody((body: Body): Trap => {
  const [, named = '', address = ''] = TRAP.exec(body.message) ?? []
  const oid = TRAP_NAME.exec(body.message)?.[1] ?? ''
  const name = NAMES.find(([end]) => end.test(oid))?.[1] ?? oid.replace(/^.*::/, '')
  const texts = [...body.message.matchAll(TEXT)].flatMap(([, text = '']) => text.trim() || [])
  const port = texts[0] ?? `port ${PORT.exec(body.message)?.[1] ?? ''}`.trim()
  return { host: named === '<UNKNOWN>' ? address : named, name, port, texts }
})

/** A trap of a switch, a UPS or any other device, as snmptrapd hands it on. */
export const snmpTrap: Sender = {
  format: 'generic',
  matches: body => TRAP.test(body.message) && TRAP_NAME.test(body.message),
  state: [
    body => PROBLEMS[trapOf(body).name.toLowerCase()]?.[1] ?? null,
    body => linkState(trapOf(body).name),
    body => readState(tokensOf(trapOf(body).name).at(-1) ?? ''),
  ],
  subject: [
    body => {
      const { host, name, port } = trapOf(body)
      return linkState(name) === null ? host : joinWords(port, withPlace('on', host))
    },
  ],
  thing: [
    body => {
      const { host, name, port, texts } = trapOf(body)
      const problem = PROBLEMS[name.toLowerCase()]?.[0] ?? joinWords(name, ...texts)
      return joinWords(linkState(name) === null ? problem : `${port} link`, host).toLowerCase()
    },
  ],
  reason: [
    body => {
      const { name, texts } = trapOf(body)
      if (linkState(name) !== null) return texts.slice(1)
      return texts.length > 0 ? texts : name
    },
  ],
}

function linkState(name: string): State | null {
  const end = /^link(Up|Down)$/.exec(name)?.[1]
  return end === undefined ? null : { ...(readState(end) ?? UP), isSure: true }
}

const UP: State = { word: 'UP', kind: 'good' }
