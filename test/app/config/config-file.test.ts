import assert from 'node:assert/strict'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { ConfigFault, loadConfig } from '#app/config/config-file.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { CONFIG_DEFAULTS, PLANS_BUILT_IN } from '#contracts/config.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const cwd = temporaryDirectory({ after })

const AMOUNT = 'must be -1 (unlimited) or a whole number from 0 to 1000000000'
const CALLS =
  'must be -1 (unlimited) or a whole number from 1 to 1000000; to shut an account out, revoke its keys'

interface Given {
  readonly toml?: string
  readonly env?: Record<string, string>
  readonly data?: string
}

function load({ toml = '', env = {}, data }: Given) {
  writeFileSync(join(cwd, 'given.toml'), toml)
  return loadConfig({ options: { config: 'given.toml', data }, env, cwd }).config
}

function faults(given: Given): Record<string, string> {
  try {
    load(given)
  } catch (error) {
    assert.ok(error instanceof ConfigFault)
    return Object.fromEntries(error.issues.map(({ path, message }) => [path, message]))
  }
  return {}
}

test('without a file every key has its default', () => {
  assert.deepEqual(
    loadConfig({ options: {}, env: { HOME: '/', ROOST_ATTEMPT: '1', ROOST_PHONE_PASSWORD: 'x' }, cwd }),
    {
      config: CONFIG_DEFAULTS,
      file: null,
      isDataDirGiven: false,
      unknownVariables: [],
    },
  )
})

test('config.toml of the working directory is read, unless --config names another file', () => {
  const folder = mkdtempSync(join(cwd, 'found-'))
  writeFileSync(join(folder, 'config.toml'), 'http.port = 1')
  writeFileSync(join(folder, 'other.toml'), 'http.port = 2')
  const port = (config?: string) => loadConfig({ options: { config }, env: {}, cwd: folder }).config.http.port
  assert.deepEqual([port(), port('other.toml')], [1, 2])
})

test('the file overrides the defaults, the environment the file, the command line the environment', () => {
  const toml = 'data_dir = "/file"\n[http]\nport = 1\nhost = "file"'
  const env = { ROOST_HTTP__PORT: '2', ROOST_DATA_DIR: '/environment' }
  const config = load({ toml, env, data: '/line' })
  assert.equal(config.data_dir, '/line')
  assert.deepEqual(config.http, { ...CONFIG_DEFAULTS.http, port: 2, host: 'file' })
})

test('a variable of the environment is read by the type of its key', () => {
  const config = load({
    env: {
      ROOST_PUBLIC_URL: 'http://10.0.0.1',
      ROOST_HTTP__TRUSTED_PROXIES: '["10.0.0.0/8", "::1"]',
      ROOST_NOTIFICATIONS__ALLOW_PRIVATE: 'false',
      ROOST_PLANS__FREE__DEVICES: '-1',
      ROOST_PLANS__SHOP__SMS_PER_DAY: '7',
    },
  })
  assert.equal(config.public_url, 'http://10.0.0.1')
  assert.deepEqual(config.http.trusted_proxies, ['10.0.0.0/8', '::1'])
  assert.equal(config.notifications.allow_private, false)
  assert.deepEqual(config.plans['shop'], { ...PLANS_BUILT_IN.free, devices: -1, sms_per_day: 7 })
})

test('a list in the environment is TOML, or values separated by commas', () => {
  const list = (text: string) => load({ env: { ROOST_HTTP__TRUSTED_PROXIES: text } }).http.trusted_proxies
  assert.deepEqual(list('10.0.0.0/8, ::1'), ['10.0.0.0/8', '::1'])
  assert.deepEqual(list('10.0.0.1'), ['10.0.0.1'])
  assert.deepEqual(list(''), [])
  assert.deepEqual(load({ env: { ROOST_NOTIFICATIONS__ALLOWED_HOSTS: 'true,nas.lan' } }).notifications, {
    ...CONFIG_DEFAULTS.notifications,
    allowed_hosts: ['true', 'nas.lan'],
  })
  assert.deepEqual(Object.keys(faults({ env: { ROOST_HTTP__TRUSTED_PROXIES: '["10.0.0.1"' } })), [
    'http.trusted_proxies',
  ])
})

test('an unknown variable is ignored and reported; a key without its section is a fault', () => {
  const env = { ROOST_URL: 'http://x', ROOST_SERVICE_HOST: '10.0.0.1', ROOST_HTTP__PORT: '2' }
  const { config, unknownVariables } = loadConfig({ options: {}, env, cwd: mkdtempSync(join(cwd, 'bare-')) })
  assert.deepEqual(unknownVariables, ['ROOST_SERVICE_HOST', 'ROOST_URL'])
  assert.equal(config.http.port, 2)
  const wrong = { ROOST_PORT: '2', ROOST_SMS_PER_DAY: '2', ROOST_HTTP__PROT: '2', ROOST_SERVICE__HOST: 'x' }
  assert.deepEqual(Object.keys(faults({ env: wrong })).sort(), Object.keys(wrong).sort())
})

test('a built-in plan can be changed in part; a new plan takes missing keys from free', () => {
  const { plans } = load({
    toml: 'plans.free.sms_per_day = 3\nplans.pro.devices = 2\nplans.shop.devices = 4',
  })
  assert.deepEqual(plans, {
    ...PLANS_BUILT_IN,
    free: { ...PLANS_BUILT_IN.free, sms_per_day: 3 },
    pro: { ...PLANS_BUILT_IN.pro, devices: 2 },
    shop: { ...PLANS_BUILT_IN.free, sms_per_day: 3, devices: 4 },
  })
})

test('a plan may have any printable name', () => {
  for (const name of ['Gold', '1st', 'my plan', 'größer', 'a.b'])
    assert.equal(load({ toml: `plans."${name}".devices = 7` }).plans[name]?.devices, 7, name)
})

test('very large and very small limits are accepted', () => {
  const { http, devices } = load({
    toml: `
      http = { body_bytes_max = 100, anonymous_calls_per_minute = 1000000 }
      devices = { segments_per_minute = 100000, segments_burst = 10000 }
    `,
  })
  assert.deepEqual([http.body_bytes_max, http.anonymous_calls_per_minute], [100, 1_000_000])
  assert.deepEqual([devices.segments_per_minute, devices.segments_burst], [100_000, 10_000])
})

test('a slash at the end of the public address is not doubled in the links made from it', () => {
  const config = load({ toml: 'public_url = "https://sms.example.org/gateway/"' })
  assert.equal(publicUrlOf(config), 'https://sms.example.org/gateway')
})

test('every fault of file and environment is reported at once, with its key path', () => {
  const found = faults({
    toml: `
      public_url = "gateway"
      colour = "red"
      size = 3
      messages = 5
      [http]
      port = 70000
      portt = 1
      trusted_proxies = ["10.1.2.3/8", "10.0.0.0/8", "localhost", "010.0.0.1"]
      tls_key_file = "missing.pem"
      [notifications]
      allowed_hosts = ["nas.lan:9000", "two words", "10.0.0.0/8", "[::1]:99999", "10.1.2.3/8"]
      [plans.free]
      sms_per_day = "ten"
      speed = 1
      [plans." "]
      devices = 1
    `,
    env: { ROOST_HTTP__LISTENERS: 'many', ROOST_PORT: '8080', ROOST_POOL__THREADS: '1.5' },
  })
  assert.deepEqual(Object.keys(found).sort(), [
    'ROOST_PORT',
    'colour',
    'http.listeners',
    'http.port',
    'http.portt',
    'http.tls_cert_file',
    'http.tls_key_file',
    'http.trusted_proxies.0',
    'http.trusted_proxies.2',
    'http.trusted_proxies.3',
    'messages',
    'notifications.allowed_hosts.1',
    'notifications.allowed_hosts.3',
    'notifications.allowed_hosts.4',
    'plans. ',
    'plans.free.sms_per_day',
    'plans.free.speed',
    'pool.threads',
    'public_url',
    'size',
  ])
  assert.equal(found['http.port'], 'must be at most 65535')
  assert.equal(found['http.listeners'], 'must be a number (from ROOST_HTTP__LISTENERS)')
  assert.match(
    found['http.portt'] ?? '',
    /^is not a configuration key; did you mean port\? known are: host, port,/,
  )
  assert.match(found['colour'] ?? '', /^is not a configuration key; known are: public_url,/)
  assert.match(found['http.trusted_proxies.0'] ?? '', /10\.0\.0\.0\/8/)
  assert.equal(found['notifications.allowed_hosts.4'], found['http.trusted_proxies.0'])
  assert.match(found['http.tls_key_file'] ?? '', /cannot be read: ENOENT/)
  assert.equal(found['messages'], 'must be a table of keys')
  assert.equal(found['public_url'], 'must be an http or https address')
})

test('the plan of new accounts must be a plan that exists', () => {
  assert.deepEqual(faults({ toml: 'accounts.default_plan = "gold"' }), {
    'accounts.default_plan': 'there is no plan of this name; the plans are free, standard, pro',
  })
  const { accounts } = load({ toml: 'accounts.default_plan = "gold"\nplans.gold.devices = 2' })
  assert.equal(accounts.default_plan, 'gold')
})

test('an unknown section gets the section that may be meant, in the file and in the environment', () => {
  const found = faults({
    toml: '[alarm]\nrecipients = []\n[nothing.of.it]',
    env: { ROOST_HTPP__PORT: '1', ROOST_HTTP__PROT: '1' },
  })
  assert.match(
    found['alarm'] ?? '',
    /^is not a section of the configuration; did you mean alarms\? known are: http,/,
  )
  assert.match(found['nothing'] ?? '', /^is not a section of the configuration; known are: http,/)
  assert.match(found['ROOST_HTPP__PORT'] ?? '', /; did you mean http\? known are: public_url,/)
  assert.match(found['ROOST_HTTP__PROT'] ?? '', /; did you mean port\? known are: host,/)
})

test('wrong types are reported in the terms of TOML', () => {
  assert.deepEqual(faults({ toml: 'public_url = 1\ndata_dir = 2\nplans = 3\nlog.level = "loud"' }), {
    public_url: 'must be text',
    data_dir: 'must be text',
    plans: 'must be a table of keys',
    'log.level': 'must be debug, info, warn or error',
  })
  assert.deepEqual(
    faults({ toml: 'public_url = "ftp://x"\nplans.free = 1\nplans.pro.api_calls_per_minute = ""' }),
    {
      public_url: 'must be an http or https address',
      'plans.free': 'must be a table of keys',
      'plans.pro.api_calls_per_minute': CALLS,
    },
  )
})

test('a limit of a plan is -1 or a whole number; every other value gets the same error', () => {
  for (const given of ['-2', '1.5', '"5"', 'true', 'nan', 'inf', '-inf', '1000000001']) {
    const toml = `plans.pro = { sms_per_day = ${given}, devices = ${given} }`
    assert.deepEqual(
      faults({ toml }),
      { 'plans.pro.sms_per_day': AMOUNT, 'plans.pro.devices': AMOUNT },
      given,
    )
  }
  for (const given of ['0', '-2', '1.5', '"5"', '1000001'])
    assert.deepEqual(
      faults({ toml: `plans.pro.api_calls_per_minute = ${given}` }),
      { 'plans.pro.api_calls_per_minute': CALLS },
      given,
    )
  assert.deepEqual(faults({ env: { ROOST_PLANS__FREE__API_CALLS_PER_MINUTE: '0' } }), {
    'plans.free.api_calls_per_minute': `${CALLS} (from ROOST_PLANS__FREE__API_CALLS_PER_MINUTE)`,
  })
  const { plans } = load({
    toml: `
      plans.free = { sms_per_day = 0, devices = -1, api_calls_per_minute = -1 }
      plans.pro = { api_calls_per_minute = 1000000 }
    `,
  })
  assert.deepEqual(
    [plans['free']?.sms_per_day, plans['free']?.devices, plans['free']?.api_calls_per_minute],
    [0, -1, -1],
  )
  assert.equal(plans['pro']?.api_calls_per_minute, 1_000_000)
})

test('a TOML fault is reported with line and column, together with faults of the environment', () => {
  const found = faults({ toml: 'public_url = ""\nhttp = = 1', env: { ROOST_HTTP__PORT: 'x' } })
  assert.deepEqual(Object.keys(found), ['line 2, column 8', 'http.port'])
  assert.match(
    found['line 2, column 8'] ?? '',
    /^is not TOML \(invalid value\): write each section once as \[/,
  )
})

test('a file that --config names must exist', () => {
  assert.throws(
    () => loadConfig({ options: { config: 'none.toml' }, env: {}, cwd }),
    (error: unknown) => error instanceof ConfigFault && /ENOENT/.test(error.issues[0]?.message ?? ''),
  )
})

test('a certificate or key that is not PEM is refused before any port is opened', () => {
  writeFileSync(join(cwd, 'junk.pem'), 'junk')
  const found = faults({ toml: 'http.tls_cert_file = "junk.pem"\nhttp.tls_key_file = "junk.pem"' })
  assert.equal(found['notifications.allowed_hosts.4'], found['http.trusted_proxies.0'])
  assert.match(found['http.tls_key_file'] ?? '', /PEM/)
})

test('a tls_port needs no certificate yet, and cannot be the port of plain HTTP', () => {
  assert.deepEqual(faults({ toml: 'http.tls_port = 8443' }), {})
  assert.match(faults({ toml: 'http.tls_port = 8080' })['http.tls_port'] ?? '', /must differ from http\.port/)
})

test('names of Object.prototype are refused as unknown keys', () => {
  const found = faults({ toml: '__proto__ = 1\nconstructor = 2\n[http]\n__proto__ = { port = 1 }' })
  assert.deepEqual(Object.keys(found).sort(), ['__proto__', 'constructor', 'http.__proto__'])
})
