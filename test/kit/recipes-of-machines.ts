/** What happens on one machine, by GUIDE's recipes: jobs, disks, power, updates. */
import { symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import {
  blockOf,
  blocksOf,
  type Env,
  filled,
  quoted,
  type Recipe,
  recipe,
  sentence,
  type Words,
} from '#test/kit/recipe-shell.ts'

const smartd = (device: string, type: string, message: string) => ({
  SMARTD_DEVICESTRING: device,
  SMARTD_FAILTYPE: type,
  SMARTD_MESSAGE: message,
})
const zed = (pool: string, kind: string, more: string) => ({
  subject: `ZFS ${kind} for ${pool} on nas`,
  input: `ZFS says:\n\n   eid: 13\n class: ${kind}\n  host: nas\n${more}\n  pool: ${pool}\n`,
})

export const MACHINE_RECIPES: readonly Recipe[] = [
  recipe<string>('a line of curl, and a query', {
    events: { problem: 'DOWN nas', other: 'DOWN web', repeat: 'DOWN nas', end: 'UP nas' },
    async send(shell, words) {
      const line = sentence(/`(curl -d 'DOWN nas: no answer' ADDRESS)`/).replace('DOWN nas', words)
      const query = sentence(/`ADDRESS\?(message=DOWN\+nas)`/).replace('DOWN+nas', words.replace(' ', '+'))
      await (words === 'UP nas' ? shell.sh(`curl -fsS "ADDRESS?${query}"`) : shell.sh(line))
    },
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
    texts: ['FAILED borgmatic on nas', 'OK borgmatic on nas'],
    keys: ['thing:borgmatic nas'],
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
