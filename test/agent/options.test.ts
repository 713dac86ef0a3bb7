import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AgentFlags, readAgentOptions } from '#agent/options.ts'

const server = 'http://gateway.lan:8080'

for (const [flags, words] of [
  [{ driver: 'modem' }, /--driver must be one of log, exec, termux/],
  [{ server: 'gateway.lan', code: '12345678' }, /--server must be a URL/],
  [{ code: '12345678' }, /--code needs --server/],
  [{ server, code: '1234' }, /--code must be 8 digits/],
  [{ server }, /--server needs --code/],
  [{ driver: 'exec' }, /needs --exec COMMAND/],
  [{ driver: 'exec', exec: '  ' }, /needs --exec COMMAND/],
  [{ exec: 'true' }, /belong to --driver exec/],
  [{ server, code: '12345678' }, /--driver is missing: one of log, exec, termux/],
  [{}, /Pair this device first, with --server URL --code CODE/],
] satisfies [AgentFlags, RegExp][]) {
  test(`${JSON.stringify(flags)} is refused in a sentence that names the flag`, () => {
    const read = readAgentOptions(flags)
    assert.equal(read.kind, 'wrong')
    assert.match(read.kind === 'wrong' ? read.message : '', words)
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
