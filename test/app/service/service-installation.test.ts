import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runInNewContext } from 'node:vm'
import { POLKIT_RULE_TEXT, unitText } from '#app/service/service-files.ts'
import {
  type CommandResult,
  ServiceInstallation,
  type ServicePorts,
} from '#app/service/service-installation.ts'
import { Problem } from '#domain/problem.ts'
import { runHere } from '#test/kit/run-roost.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const UNIT = '/etc/systemd/system/roost.service'
const CONFIG = '/etc/roost/config.toml'

/** A machine with systemd whose root is a folder. The commands run on it are recorded. */
function machine(t: TestContext, ports: Partial<ServicePorts> = {}, answer: Partial<CommandResult> = {}) {
  const root = temporaryDirectory(t)
  const ran: string[] = []
  const put = (path: string, text = '') => {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  mkdirSync(join(root, '/run/systemd/system'), { recursive: true })
  const run = (command: string, args: readonly string[]): CommandResult => {
    ran.push([command, ...args].join(' ').replace(root, ''))
    return { status: 0, stdout: '', stderr: '', ...answer }
  }
  const service = new ServiceInstallation({
    program: ['/usr/local/bin/roost'],
    uid: 0,
    root,
    run,
    ...ports,
  })
  return {
    service,
    ran,
    put,
    has: (path: string) => existsSync(join(root, path)),
    read: (path: string) => readFileSync(join(root, path), 'utf8'),
  }
}

test('install makes unit, user and configuration, and starts the service', t => {
  const { service, ran, read } = machine(t)
  assert.deepEqual(service.install(), {
    unit: UNIT,
    config: CONFIG,
    dataDir: '/var/lib/roost',
    user: 'roost',
  })
  assert.match(read(UNIT), /^ExecStart=\/usr\/local\/bin\/roost serve --config \/etc\/roost\/config\.toml$/m)
  assert.match(read(UNIT), /^ReadWritePaths=-\/var\/backups\/roost$/m)
  assert.match(read(CONFIG), /^data_dir = "\/var\/lib\/roost"$/m)
  assert.match(read('/etc/sysusers.d/roost.conf'), /^u roost - /)
  assert.deepEqual(ran, [
    'systemd-sysusers /etc/sysusers.d/roost.conf',
    'install -d -m 0700 -o roost -g roost /var/backups/roost',
    'systemctl daemon-reload',
    'systemctl enable roost.service',
    'systemctl restart roost.service',
  ])
})

test('installing again keeps a configuration that was edited', t => {
  const { service, put, read } = machine(t)
  put(CONFIG, 'data_dir = "/srv/roost"\n')
  service.install()
  assert.equal(read(CONFIG), 'data_dir = "/srv/roost"\n')
})

test('remove stops the service and deletes its cache, but not its data and configuration', t => {
  const { service, ran, has, put } = machine(t)
  service.install()
  put('/var/cache/roost/compiled/main', 'code')
  put('/var/lib/roost/roost.db', 'data')
  ran.length = 0
  assert.deepEqual(service.remove(), { kept: ['/var/lib/roost', '/etc/roost'] })
  const gone = [UNIT, '/etc/sysusers.d/roost.conf', '/var/cache/roost']
  assert.deepEqual(gone.map(has), [false, false, false])
  assert.deepEqual([CONFIG, '/var/lib/roost/roost.db'].map(has), [true, true])
  assert.deepEqual(ran, ['systemctl disable --now roost.service', 'systemctl daemon-reload'])
})

test('an impossible installation is refused, with what to do, before anything is written', t => {
  const refused = (ports: Partial<ServicePorts>, pattern: RegExp) => {
    const { service, ran, has } = machine(t, ports)
    assert.throws(
      () => service.install(),
      (error: unknown) => {
        return error instanceof Problem && pattern.test(error.message)
      },
    )
    assert.deepEqual([ran, has(UNIT)], [[], false])
  }
  refused({ uid: 1000 }, /run: sudo roost service install/)
  refused({ root: temporaryDirectory(t) }, /systemd does not run here/)
  refused({ program: ['/home/ann/roost'] }, /cannot see \/home\/ann\/roost: put .*\/usr\/local\/bin/)
  const packaged = machine(t)
  packaged.put('/lib/systemd/system/roost.service')
  assert.throws(() => packaged.service.install(), /the Debian package has installed the service/)
  assert.throws(() => packaged.service.remove(), /the Debian package has installed the service/)
  assert.throws(() => machine(t).service.remove(), /the service is not installed/)
})

test('a failed command is reported in one sentence', t => {
  const { service } = machine(t, {}, { status: 1, stderr: 'Job for roost.service failed.\nSee more.\n' })
  assert.throws(() => service.install(), {
    message: /^systemd-sysusers \S+ failed: Job for roost\.service failed\.$/,
  })
})

test('the reported state is what systemd shows', t => {
  const stdout = [
    'LoadState=loaded',
    'ActiveState=active',
    'SubState=running',
    'UnitFileState=enabled',
    'StatusText=2 phones connected, 0 messages waiting. Restart for: http.port=1',
    'MainPID=77',
    'NRestarts=3',
    'WatchdogUSec=2min',
    `FragmentPath=${UNIT}`,
  ].join('\n')
  assert.deepEqual(machine(t, {}, { stdout }).service.state(), {
    installed: true,
    running: true,
    enabled: true,
    state: 'active (running)',
    status: '2 phones connected, 0 messages waiting. Restart for: http.port=1',
    pid: 77,
    restarts: 3,
    watchdog: true,
    unit: UNIT,
  })
  const absent = machine(t, {}, { stdout: 'LoadState=not-found\nActiveState=inactive\nSubState=dead\n' })
  const { installed, running, pid, unit, watchdog } = absent.service.state()
  assert.deepEqual([installed, running, pid, unit, watchdog], [false, false, null, null, false])
})

test('the unit can be printed, for an installation by hand', async t => {
  const { code, stdout } = await runHere(['service', 'install', '--print'], { cwd: temporaryDirectory(t) })
  assert.deepEqual([code, stdout], [0, unitText(['/usr/local/bin/roost'])])
})

test('words that systemd would expand are taken literally', () => {
  const text = unitText(['/opt/my tools/100%/$x/roost'])
  assert.match(text, /^ExecStart="\/opt\/my tools\/100%%\/\$\$x\/roost" serve /m)
})

const { error } = spawnSync('systemd-analyze', ['--version'])

test('the unit is exposed at most 1.3 by the measure of systemd', {
  skip: error !== undefined && 'systemd-analyze is not installed: apt-get install systemd',
}, t => {
  const unit = join(temporaryDirectory(t), 'roost.service')
  writeFileSync(unit, unitText(['/usr/bin/roost']))
  const args = ['security', '--offline=true', '--no-pager', '--threshold=13', unit]
  const { status, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  assert.equal(status, 0, `${stdout}${stderr}`)
  assert.match(stdout, /Overall exposure level for roost\.service: (0\.\d|1\.[0-3]) /)
})

test('polkit lets only the service user send, call and switch on', () => {
  type Rule = (action: { id: string }, subject: { user: string }) => unknown
  const rules: Rule[] = []
  const polkit = { Result: { YES: 'yes' }, addRule: (rule: Rule) => rules.push(rule) }
  runInNewContext(POLKIT_RULE_TEXT, { polkit })
  const [rule] = rules
  const answer = (name: string, user: string) =>
    rule?.({ id: `org.freedesktop.ModemManager1.${name}` }, { user })
  for (const name of ['Messaging', 'Voice', 'USSD', 'Device.Control']) {
    assert.equal(answer(name, 'roost'), 'yes', name)
    assert.equal(answer(name, 'root2'), undefined, name)
  }
  for (const name of ['Control', 'Contacts', 'Location', 'Time', 'Firmware', ''])
    assert.equal(answer(name, 'roost'), undefined, name)
  assert.equal(rule?.({ id: 'org.freedesktop.login1.reboot' }, { user: 'roost' }), undefined)
})
