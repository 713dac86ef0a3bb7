import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DRIVERS } from '#agent/drivers/drivers.ts'
import { type AgentFlags, readAgentOptions } from '#agent/options.ts'

const names = Object.keys(DRIVERS).join(', ')
const server = 'http://gateway.lan:8080'

for (const [flags, words] of [
  [{ driver: 'pigeon' }, `--driver must be one of ${names}.`],
  [{ server: 'gateway.lan', code: '12345678' }, /--server must be a URL/],
  [{ code: '12345678' }, /--code needs --server/],
  [{ server, code: '1234' }, /--code must be 8 digits/],
  [{ server }, /--server needs --code/],
  [{ driver: 'exec' }, /needs --exec COMMAND/],
  [{ driver: 'exec', exec: '  ' }, /needs --exec COMMAND/],
  [{ exec: 'true' }, '--exec, --exec-lookup and --exec-call belong to --driver exec.'],
  [
    { driver: 'exec', exec: 'true', username: 'x' },
    '--phone, --username and --password-file belong to --driver smsgate.',
  ],
  [{ driver: 'smsgate' }, '--driver smsgate needs --phone URL, the address that the app shows.'],
  [{ driver: 'smsgate', phone: 'https://phone' }, /^--phone must begin with http:/],
  [{ server, code: '12345678' }, `--driver is missing: one of ${names}.`],
  [{}, /Pair this device first, with --server URL --code CODE/],
] satisfies [AgentFlags, RegExp | string][]) {
  test(`${JSON.stringify(flags)} is refused in a sentence that names the flag`, () => {
    const read = readAgentOptions(flags)
    assert.equal(read.kind, 'wrong')
    const message = read.kind === 'wrong' ? read.message : ''
    if (typeof words === 'string') assert.equal(message, words)
    else assert.match(message, words)
  })
}

test('a code may contain blanks and hyphens', () => {
  const read = readAgentOptions({ server, code: '1234 5678', name: ' kitchen ', driver: 'log' })
  assert.equal(read.kind, 'options')
  const options = read.kind === 'options' ? read.options : null
  assert.equal(options?.code, '12345678')
  assert.equal(options?.name, 'kitchen')
  const unnamed = readAgentOptions({ server, code: '12345678', name: ' ', driver: 'log' })
  assert.equal(unnamed.kind === 'options' && unnamed.options.name, null)
  assert.equal(options?.stateFile, './roost-agent.json')
})

test('the options of a driver are those of its flags', () => {
  const optionsOf = (flags: AgentFlags) => {
    const read = readAgentOptions({ state: 'state.json', ...flags })
    return read.kind === 'options' ? read.options.driver : read.message
  }
  assert.deepEqual(optionsOf({ driver: 'termux', 'exit-0-is-delivered': true }), { name: 'termux' })
  assert.deepEqual(optionsOf({ driver: 'exec', exec: 'send', 'exit-0-is-delivered': true }), {
    name: 'exec',
    command: 'send',
    lookUpCommand: null,
    callCommand: null,
    exitZeroIsDelivered: true,
  })
  assert.match(
    String(optionsOf({ driver: 'exec', exec: 'send', 'exec-call': ' ' })),
    /^--exec-call needs a command/,
  )
  assert.deepEqual(optionsOf({ driver: 'smsgate', phone: 'phone.lan', 'password-file': 'secret' }), {
    name: 'smsgate',
    url: 'http://phone.lan:8080',
    username: 'sms',
    passwordFile: 'secret',
  })
})
