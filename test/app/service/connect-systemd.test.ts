import assert from 'node:assert/strict'
import { test } from 'node:test'
import { connectSystemd, isService } from '#app/service/connect-systemd.ts'

const PID = 4711

/** A connection to systemd in this environment, and the messages that it sent. */
function connect(env: NodeJS.ProcessEnv) {
  const sent: unknown[] = []
  const line = connectSystemd({
    env,
    pid: PID,
    write: (descriptor, message) => sent.push([descriptor, message]),
    run: (command, args) => sent.push([command, ...args]),
  })
  return { line, sent }
}

test('a descriptor that systemd opened takes each message in one write', () => {
  const env = { LISTEN_PID: `${PID}`, LISTEN_FDS: '2', LISTEN_FDNAMES: 'other:notify', NOTIFY_SOCKET: '/x' }
  const { line, sent } = connect(env)
  line?.notify('READY=1', 'STATUS=well')
  assert.deepEqual(sent, [[4, 'READY=1\nSTATUS=well']])
})

test('without a descriptor, or with those of another process, systemd-notify is run', () => {
  const inherited = { LISTEN_PID: '1', LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify' }
  for (const env of [{}, inherited]) {
    const { line, sent } = connect({ ...env, NOTIFY_SOCKET: '/run/systemd/notify' })
    line?.notify('READY=1', 'STATUS=well')
    assert.deepEqual(sent, [['systemd-notify', 'READY=1', 'STATUS=well']])
  }
})

test('without systemd no message is sent', () => {
  assert.equal(connect({}).line, null)
  assert.equal(connect({ LISTEN_PID: '1', LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify' }).line, null)
})

test('a status of several lines sets only the status', () => {
  const { line, sent } = connect({ NOTIFY_SOCKET: '/x' })
  line?.notify('STATUS=Failed: a=b\nMAINPID=1')
  assert.deepEqual(sent, [['systemd-notify', 'STATUS=Failed: a=b MAINPID=1']])
})

test('a message that cannot be sent is ignored', () => {
  const env = { LISTEN_PID: `${PID}`, LISTEN_FDS: '1', LISTEN_FDNAMES: 'notify' }
  const write = () => {
    throw new Error('ECONNREFUSED')
  }
  connectSystemd({ env, pid: PID, write })?.notify('READY=1')
})

test('a keep-alive is due after half of the watchdog time', () => {
  const beat = (env: NodeJS.ProcessEnv) => connect({ NOTIFY_SOCKET: '/x', ...env }).line?.watchdogMs
  assert.equal(beat({ WATCHDOG_USEC: '120000000' }), 60_000)
  assert.equal(beat({ WATCHDOG_USEC: '120000000', WATCHDOG_PID: `${PID}` }), 60_000)
  assert.equal(beat({ WATCHDOG_USEC: '120000000', WATCHDOG_PID: '1' }), null)
  assert.equal(beat({ WATCHDOG_USEC: '0' }), null)
  assert.equal(beat({ WATCHDOG_USEC: 'soon' }), null)
  assert.equal(beat({}), null)
})

test('a service is what systemd started itself, not a shell that inherited its environment', () => {
  assert.equal(isService({ NOTIFY_SOCKET: '/x' }, PID), true)
  assert.equal(isService({ INVOCATION_ID: 'ab' }, PID), true)
  assert.equal(isService({ INVOCATION_ID: 'ab', SYSTEMD_EXEC_PID: `${PID}` }, PID), true)
  assert.equal(isService({ INVOCATION_ID: 'ab', SYSTEMD_EXEC_PID: '1' }, PID), false)
  assert.equal(isService({}, PID), false)
})
