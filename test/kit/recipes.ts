/** What programs that run a command do by GUIDE's recipes. */
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import { blockOf, blocksOf, filled, quoted, type RecipeShell } from '#test/kit/recipe-shell.ts'

/**
 * The events in this order: a problem, another one, the first again (by default the same), that a person works
 * on it, and its end, as far as the program has them.
 */
export type Events<Event> = { readonly problem: Event } & {
  readonly [name in 'other' | 'repeat' | 'ack' | 'end']?: Event
}

export interface Recipe {
  readonly name: string
  readonly events: Events<unknown>
  readonly send: (shell: RecipeShell, event: never) => Promise<void>
  /** The texts of the events, but for the repeat. */
  readonly texts: readonly string[]
  /** The keys of the incidents. */
  readonly keys: Words
}

export function recipe<Event>(
  name: string,
  about: Omit<Recipe, 'name' | 'events' | 'send'> & {
    readonly events: Events<Event>
    readonly send: (shell: RecipeShell, event: Event) => Promise<void>
  },
): Recipe {
  return { name, ...about }
}

export type Words = readonly string[]
export type Env = Readonly<Record<string, string>>

const smartd = (device: string, type: string, message: string) => ({
  SMARTD_DEVICESTRING: device,
  SMARTD_FAILTYPE: type,
  SMARTD_MESSAGE: message,
})
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
const zed = (pool: string, kind: string, more: string) => ({
  subject: `ZFS ${kind} for ${pool} on nas`,
  input: `ZFS has something to say:\n\n   eid: 13\n class: ${kind}\n  host: nas\n  time: 2026-11-28 16:02:00+0000\n${more}\n  pool: ${pool}\n`,
})

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

export const RUN_RECIPES: readonly Recipe[] = [
  recipe<string>('a line of curl', {
    events: {
      problem: 'DOWN nas: no answer',
      other: 'DOWN web: no answer',
      repeat: 'DOWN nas: still',
      end: 'UP nas',
    },
    send: (shell, text) => shell.post(text, 'application/x-www-form-urlencoded'),
    texts: ['DOWN nas: no answer', 'DOWN web: no answer', 'UP nas'],
    keys: ['thing:nas', 'thing:web'],
  }),
  recipe<Words>('cron', {
    events: { problem: ['backup', '2'], other: ['sync', '1'], end: ['backup', '0'] },
    async send(shell, [job = '', status = '']) {
      const line =
        blocksOf('cron')[0]
          ?.replace(/^(?:\S+ +){5}/, '')
          .replaceAll('backup', job) ?? ''
      shell.write(job, `#!/bin/sh\nexit ${status}\n`)
      await shell.sh(line)
    },
    texts: ['FAILED backup on nas: exit 2', 'FAILED sync on nas: exit 1', 'OK backup on nas'],
    keys: ['thing:backup nas', 'thing:sync nas'],
  }),
  recipe<string>('Healthchecks pings', {
    events: { problem: '2', end: '0' },
    async send(shell, status) {
      shell.write('backup', `#!/bin/sh\nexit ${status}\n`)
      await shell.sh(blocksOf('Healthchecks pings')[0] ?? '')
    },
    texts: ['FAILED alerts: exit 2', 'OK alerts'],
    keys: ['thing:alerts'],
  }),
  recipe<Words>('systemd', {
    events: {
      problem: ['backup.service', 'failed'],
      other: ['sync.service', 'failed'],
      end: ['backup.service', 'ok'],
    },
    async send(shell, [unit = '', state = '']) {
      shell.write('journalctl', '#!/bin/sh\necho "rsync: broken pipe"\n')
      const [, line = ''] = /^ExecStart=\/bin\/sh -c '(.*)'$/m.exec(blockOf('systemd', 'ExecStart')) ?? []
      await shell.sh(filled(line, { '%H': 'nas', '%i': unit, failed: state, $$: '$' }))
    },
    texts: [
      'FAILED backup.service on nas: rsync: broken pipe',
      'FAILED sync.service on nas: rsync: broken pipe',
      'OK backup.service on nas: rsync: broken pipe',
    ],
    keys: ['thing:backup.service nas', 'thing:sync.service nas'],
  }),
  recipe<Env>('smartd', {
    events: {
      problem: smartd(
        '/dev/sda [SAT]',
        'CurrentPendingSector',
        'Device: /dev/sda [SAT], 8 Currently unreadable (pending) sectors',
      ),
      other: smartd(
        '/dev/sdb [SAT]',
        'Health',
        'Device: /dev/sdb [SAT], FAILED SMART self-check. BACK UP DATA NOW!',
      ),
    },
    send: (shell, env) => shell.run(shell.write('text-disk', blockOf('smartd', 'FAILTYPE')), { env }),
    texts: [
      'FAILED /dev/sda [SAT] CurrentPendingSector on nas: 8 Currently unreadable (pending) sectors',
      'FAILED /dev/sdb [SAT] Health on nas: SMART self-check. BACK UP DATA NOW!',
    ],
    keys: ['thing:/dev/sda [sat] currentpendingsector nas', 'thing:/dev/sdb [sat] health nas'],
  }),
  recipe<Words>('mdadm', {
    events: {
      problem: ['Fail', '/dev/md0', '/dev/sdb1'],
      other: ['Fail', '/dev/md0', '/dev/sdc1'],
      end: ['SpareActive', '/dev/md0', '/dev/sdb1'],
    },
    send: (shell, args) => shell.run(shell.write('text-raid', blockOf('mdadm', 'SpareActive')), { args }),
    texts: [
      'FAILED RAID /dev/md0 /dev/sdb1 on nas',
      'FAILED RAID /dev/md0 /dev/sdc1 on nas',
      'OK RAID /dev/md0 /dev/sdb1 on nas: SpareActive',
    ],
    keys: ['thing:raid /dev/md0 /dev/sdb1 nas', 'thing:raid /dev/md0 /dev/sdc1 nas'],
  }),
  recipe<ReturnType<typeof zed>>('ZED', {
    events: {
      problem: zed('tank', 'statechange', ' vpath: /dev/sdb1\n state: FAULTED'),
      other: zed('media', 'statechange', ' vpath: /dev/sdc1\n state: FAULTED'),
    },
    async send(shell, { subject, input }) {
      const [, options = ''] = /^ZED_EMAIL_OPTS="(.*)"$/m.exec(blocksOf('ZED')[0] ?? '') ?? []
      await shell.sh(`curl ${options.replace('@SUBJECT@', subject)} -o /dev/null`, { input })
    },
    texts: [
      'FAULTED ZFS statechange for tank on nas: /dev/sdb1',
      'FAULTED ZFS statechange for media on nas: /dev/sdc1',
    ],
    keys: ['thing:zfs statechange tank nas dev sdb1', 'thing:zfs statechange media nas dev sdc1'],
  }),
  recipe<Words>('NUT', {
    events: { problem: ['ONBATT'], other: ['COMMBAD'], end: ['ONLINE'] },
    async send(shell, [type = '']) {
      if (!blockOf('NUT and apcupsd', 'NOTIFYCMD').includes(`NOTIFYFLAG ${type} SYSLOG+EXEC`))
        throw new Error(`no EXEC for ${type}`)
      const env = { UPSNAME: 'ups@localhost', NOTIFYTYPE: type }
      await shell.run(shell.write('text-ups', blockOf('NUT and apcupsd', 'UPSNAME')), { env, args: ['UPS'] })
    },
    texts: [
      'ON BATTERY UPS ups@localhost on nas',
      'COMM LOST UPS ups@localhost on nas',
      'POWER BACK UPS ups@localhost on nas',
    ],
    keys: ['thing:ups ups@localhost nas supply', 'thing:ups ups@localhost nas reach'],
  }),
  recipe<string>('apcupsd', {
    events: { problem: 'onbattery', other: 'commfailure', end: 'offbattery' },
    async send(shell, event) {
      if (!blockOf('NUT and apcupsd', 'ln -sf').includes(event)) throw new Error(`no link for ${event}`)
      const script = shell.write('text-ups', blockOf('NUT and apcupsd', 'UPSNAME'))
      const link = join(dirname(script), event)
      try {
        symlinkSync(script, link)
      } catch {}
      await shell.run(link, { args: ['vault', '1', '1'] })
    },
    texts: ['ON BATTERY UPS vault on nas', 'COMM LOST UPS vault on nas', 'POWER BACK UPS vault on nas'],
    keys: ['thing:ups vault nas supply', 'thing:ups vault nas reach'],
  }),
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
  recipe<string>('borgmatic from 2.0 on', {
    events: { problem: "Command 'borg create' returned 2", end: '' },
    async send(shell, error) {
      const { commands } = parse(blockOf('borgmatic', 'commands:'))
      const { run } = commands.find((one: { after: string }) => (one.after === 'error') === (error !== ''))
      await shell.sh(filled(run[0], { '{error}': quoted(error) }))
    },
    texts: ["FAILED borgmatic on nas: Command 'borg create' returned 2", 'OK borgmatic on nas'],
    keys: ['thing:borgmatic nas'],
  }),
  recipe<string>('borgmatic before 2.0', {
    events: { problem: "Command 'borg create' returned 2", end: '' },
    async send(shell, error) {
      const { on_error: failed, after_backup: ended } = parse(blockOf('borgmatic', 'on_error:'))
      await shell.sh(filled((error === '' ? ended : failed)[0], { '{error}': error }))
    },
    texts: ["FAILED borgmatic on nas: Command 'borg create' returned 2", 'OK borgmatic on nas'],
    keys: ['thing:borgmatic nas'],
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
    texts: ['DOWN nas: Packet loss = 100%', 'DOWN web: Packet loss = 100%', 'Owner has it: ACKNOWLEDGED nas: Packet loss = 100%', 'UP nas: Packet loss = 0%'],
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
  recipe<Words>('ansible', {
    events: { problem: ['nas', 'failed'], other: ['web', 'failed'], end: ['nas', 'ok'] },
    async send(shell, [name = '', state = '']) {
      const [{ block, rescue }] = parse(blocksOf('ansible')[0] ?? '')
      const tasks = [...block, ...rescue].map(task => task['ansible.builtin.command'])
      const command = tasks.find(one => Array.isArray(one) && one.includes(state)) as Words
      const values = { '{{ inventory_hostname }}': name, '{{ ansible_failed_task.name }}': 'Copy the site' }
      const [program = '', ...args] = command.map(word => filled(word, values))
      await shell.run(program, { args })
    },
    texts: ['FAILED deploy on nas: Copy the site', 'FAILED deploy on web: Copy the site', 'OK deploy on nas'],
    keys: ['thing:deploy nas', 'thing:deploy web'],
  }),
]
