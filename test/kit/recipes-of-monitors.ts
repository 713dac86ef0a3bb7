/** What programs that watch machines do by GUIDE's recipes. */
import {
  blockOf,
  blocksOf,
  type Env,
  filled,
  type Recipe,
  type RecipeShell,
  recipe,
  type Words,
} from '#test/kit/recipe-shell.ts'

const monit = (service: string, event: string, description: string) => ({
  MONIT_HOST: 'nas.lan',
  MONIT_SERVICE: service,
  MONIT_EVENT: event,
  MONIT_DESCRIPTION: description,
})
const trap = (...lines: Words) =>
  [
    'switch.lan',
    'UDP: [192.0.2.7]:40178->[192.0.2.1]:162',
    'iso.3.6.1.2.1.1.3.0 0:1:22:03.91',
    ...lines,
  ].join('\n')
const port = (name: string, state: 3 | 4) =>
  trap(
    `iso.3.6.1.6.3.1.1.4.1.0 iso.3.6.1.6.3.1.1.5.${state}`,
    'iso.3.6.1.2.1.2.2.1.1.3 3',
    `iso.3.6.1.2.1.2.2.1.2.3 "${name}"`,
  )
const collectd = (severity: string, plugin: string, text: string) =>
  `Severity: ${severity}\nTime: 1795883964.335\nHost: nas\nPlugin: ${plugin}\nType: ${plugin}\n\n${text}\n`
/** The command of Icinga and the macros of one of its notifications. */
async function icinga(shell: RecipeShell, { kind, ...macros }: Env): Promise<void> {
  const text = blockOf('Icinga 2', 'NotificationCommand')
  const command = JSON.parse(/command = (\[[\s\S]*?\])/.exec(text)?.[1] ?? '[]') as Words
  const apply = new RegExp(`apply Notification "text-${kind}"[\\s\\S]*?\\n}`).exec(text)?.[0] ?? ''
  const vars = [...apply.matchAll(/vars\.(\w+) = "(.*)"/g)].map(([, name, value = '']) => [
    `$${name}$`,
    value,
  ])
  const [program = '', ...args] = command.map(word => filled(filled(word, Object.fromEntries(vars)), macros))
  if (args.some(arg => arg.includes('$'))) throw new Error(`unknown macro in ${args.join(' ')}`)
  await shell.run(program, { args })
}

const icingaEvent = (kind: string, type: string, values: Env) => ({
  kind,
  '$notification.type$': type,
  '$notification.comment$': '',
  '$host.name$': 'nas',
  ...Object.fromEntries(Object.entries(values).map(([name, value]) => [`$${name}$`, value])),
})
const http = (type: string, state: string, output: string, comment = '') =>
  icingaEvent('service', type, {
    'service.name': 'http',
    'service.state': state,
    'service.output': output,
    'notification.comment': comment,
  })

const host = (name: string, type: string, state: string, output: string) =>
  icingaEvent('host', type, { 'host.name': name, 'host.state': state, 'host.output': output })
const apc = (number: number, text: string) =>
  trap(`iso.3.6.1.6.3.1.1.4.1.0 iso.3.6.1.4.1.318.0.${number}`, `iso.3.6.1.4.1.318.2.3.3.0 "${text}"`)

export const MONITOR_RECIPES: readonly Recipe[] = [
  recipe<Words>('Netdata', {
    events: {
      problem: ['disk_space._', 'WARNING', '91%'],
      other: ['disk_space._srv', 'WARNING', '93%'],
      repeat: ['disk_space._', 'WARNING', '92%'],
      end: ['disk_space._', 'CLEAR', '40%'],
    },
    async send(shell, [chart = '', status = '', value = '']) {
      const env = {
        host: 'nas',
        chart,
        name: 'disk_space_usage',
        status,
        value_string: value,
        info: 'space utilization',
      }
      await shell.sh(`${blocksOf('Netdata')[0]}\ncustom_sender`, { env })
    },
    texts: [
      'WARN disk_space._ disk_space_usage on nas: space utilization (91%)',
      'WARN disk_space._srv disk_space_usage on nas: space utilization (93%)',
      'CLEAR disk_space._ disk_space_usage on nas: space utilization (40%)',
    ],
    keys: ['thing:disk_space._ disk_space_usage nas', 'thing:disk_space._srv disk_space_usage nas'],
  }),
  recipe<Env>('monit', {
    events: {
      problem: monit('sshd', 'Does not exist', 'process is not running'),
      other: monit('web', 'Connection failed', 'failed protocol test [HTTP] at [127.0.0.1]:80'),
      repeat: monit('sshd', 'Does not exist', 'process is still not running'),
      end: monit('sshd', 'Exists', 'process is running with pid 11499'),
    },
    send: (shell, env) => shell.run(shell.write('text-monit', blockOf('monit', 'MONIT_HOST')), { env }),
    texts: [
      'FAILED sshd on nas.lan: process is not running',
      'FAILED web on nas.lan: failed protocol test [HTTP] at [127.0.0.1]:80',
      'OK sshd on nas.lan: process is running with pid 11499',
    ],
    keys: ['thing:sshd nas.lan', 'thing:web nas.lan connection'],
  }),
  recipe<Env>('Icinga 2, services', {
    events: {
      problem: http('PROBLEM', 'CRITICAL', 'HTTP CRITICAL: HTTP/1.0 500 Internal Server Error'),
      other: icingaEvent('service', 'PROBLEM', {
        'service.name': 'disk /srv',
        'service.state': 'CRITICAL',
        'service.output': 'DISK CRITICAL - free space: /srv 4000 MB (8%)',
      }),
      repeat: http('PROBLEM', 'CRITICAL', 'HTTP CRITICAL: HTTP/1.0 503 Service Unavailable'),
      ack: http('ACKNOWLEDGEMENT', 'CRITICAL', 'HTTP CRITICAL: HTTP/1.0 500', 'I look at it'),
      end: http('RECOVERY', 'OK', 'HTTP OK: HTTP/1.0 200 OK'),
    },
    send: icinga,
    texts: [
      'CRITICAL http on nas: HTTP/1.0 500 Internal Server Error',
      'CRITICAL disk /srv on nas: free space: /srv 4000 MB (8%)',
      'Owner has it: ACKNOWLEDGED http on nas: I look at it. HTTP CRITICAL: HTTP/1.0 500',
      'OK http on nas: HTTP/1.0 200 OK',
    ],
    keys: ['thing:http nas', 'thing:disk /srv nas'],
  }),
  recipe<Env>('Icinga 2, hosts', {
    events: {
      problem: host('nas', 'PROBLEM', 'DOWN', 'PING CRITICAL - Packet loss = 100%'),
      other: host('web', 'PROBLEM', 'DOWN', 'PING CRITICAL - Packet loss = 100%'),
      ack: host('nas', 'ACKNOWLEDGEMENT', 'DOWN', 'PING CRITICAL - Packet loss = 100%'),
      end: host('nas', 'RECOVERY', 'UP', 'PING OK - Packet loss = 0%'),
    },
    send: icinga,
    texts: [
      'DOWN nas: Packet loss = 100%',
      'DOWN web: Packet loss = 100%',
      'Owner has it: ACKNOWLEDGED nas: Packet loss = 100%',
      'UP nas: Packet loss = 0%',
    ],
    keys: ['thing:nas', 'thing:web'],
  }),
  recipe<Words>('fail2ban', {
    events: {
      problem: ['actionban', '192.0.2.7'],
      other: ['actionban', '192.0.2.8'],
      end: ['actionunban', '192.0.2.7'],
    },
    async send(shell, [action = '', ip = '']) {
      const [, line = ''] = new RegExp(`^${action} = (.*)$`, 'm').exec(blocksOf('fail2ban')[0] ?? '') ?? []
      await shell.sh(filled(line, { '<name>': 'sshd', '<ip>': ip, '<failures>': '3' }))
    },
    texts: [
      'BANNED fail2ban sshd 192.0.2.7 on nas: after 3 failures',
      'BANNED fail2ban sshd 192.0.2.8 on nas: after 3 failures',
      'OK fail2ban sshd 192.0.2.7 on nas: unbanned',
    ],
    keys: ['thing:fail2ban sshd 192.0.2.7 nas', 'thing:fail2ban sshd 192.0.2.8 nas'],
  }),
  recipe<string>('SNMP traps', {
    events: { problem: port('eth3', 3), other: port('eth4', 3), end: port('eth3', 4) },
    send: (shell, input) =>
      shell.run(shell.write('text-trap', blockOf('SNMP traps', 'message@-')), { input }),
    texts: ['DOWN eth3 on switch.lan', 'DOWN eth4 on switch.lan', 'UP eth3 on switch.lan'],
    keys: ['thing:eth3 link switch.lan', 'thing:eth4 link switch.lan'],
  }),
  recipe<string>('SNMP traps of a UPS', {
    events: {
      problem: apc(5, 'UPS: On battery power in response to an input power problem.'),
      other: apc(1, 'UPS: Lost the local network management interface-to-UPS communication.'),
      end: apc(9, 'UPS: No longer on battery power.'),
    },
    send: (shell, input) =>
      shell.run(shell.write('text-trap', blockOf('SNMP traps', 'message@-')), { input }),
    texts: [
      'ON BATTERY switch.lan: UPS: On battery power in response to an input power problem.',
      'COMM LOST switch.lan: UPS: Lost the local network management interface-to-UPS communication.',
      'POWER BACK switch.lan: UPS: No longer on battery power.',
    ],
    keys: ['thing:supply switch.lan', 'thing:reach switch.lan'],
  }),
  recipe<string>('collectd', {
    events: {
      problem: collectd('WARNING', 'load', 'Data source "shortterm" is currently 9.4.'),
      other: collectd('FAILURE', 'df', 'Data source "value" is currently 98.'),
      repeat: collectd('WARNING', 'load', 'Data source "shortterm" is currently 9.9.'),
      end: collectd('OKAY', 'load', 'All data sources are within range again.'),
    },
    send: (shell, input) =>
      shell.run(shell.write('text-collectd', blockOf('collectd', 'Severity:')), { input }),
    texts: [
      'WARN load on nas: Data source "shortterm" is currently 9.4.',
      'FAILED df on nas: Data source "value" is currently 98.',
      'OK load on nas: All data sources are within range again.',
    ],
    keys: ['thing:load nas', 'thing:df nas'],
  }),
]
