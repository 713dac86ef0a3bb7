import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ServiceReport } from '#app/service/service-report.ts'
import type { Writer } from '#contracts/commands.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextTurn } from '#test/kit/next-turn.ts'

/** A report to systemd with a watchdog time of a minute. The test controls the writer behind it. */
function rig() {
  const clock = new HandClock()
  const messages: string[] = []
  const counts = { waiting: 3, sending: 0, devicesOnline: 1 }
  const state = {
    ...counts,
    critical: null as string | null,
    commits: 0,
    checks: 0,
    hangs: false,
    fails: false,
  }
  const report = new ServiceReport({
    systemd: { watchdogMs: 30_000, notify: (...assignments) => messages.push(assignments.join('\n')) },
    commits: () => state.commits,
    monoMs: () => clock.monotonicMs(),
    after: (run, ms) => clock.after(ms, run),
  })
  const ask = async (name: string) => {
    if (state.hangs) await new Promise(() => {})
    if (name === 'gateway.state') return state
    state.checks += 1
    if (state.fails) throw new Error('the disk is full')
    state.commits += 1
    return null
  }
  const advance = async (ms: number) => {
    clock.advance(ms)
    await nextTurn()
    return messages.splice(0)
  }
  return { report, state, advance, writer: { ask } as unknown as Writer, messages }
}

const BEATS_AN_HOUR = 120

test('an idle gateway makes a commit for a keep-alive once an hour', async () => {
  const { report, state, advance, writer } = rig()
  report.ready(writer)
  assert.deepEqual(await advance(0), [
    'READY=1',
    'STATUS=1 phone connected, 3 messages waiting',
    'WATCHDOG=1',
  ])
  assert.equal(state.checks, 1)
  for (let beats = 1; beats < BEATS_AN_HOUR; beats++) assert.deepEqual(await advance(30_000), ['WATCHDOG=1'])
  assert.equal(state.checks, 1)
  assert.deepEqual(await advance(30_000), ['WATCHDOG=1'])
  assert.equal(state.checks, 2)
})

test('a busy gateway makes no extra commit for a keep-alive', async () => {
  const { report, state, advance, writer } = rig()
  state.commits = 5
  report.ready(writer)
  await advance(0)
  state.commits = 9
  assert.deepEqual(await advance(30_000), ['WATCHDOG=1'])
  assert.equal(state.checks, 0)
})

test('a writer that hangs or cannot commit sends no keep-alive', async () => {
  for (const trouble of ['hangs', 'fails'] as const) {
    const { report, state, advance, writer } = rig()
    report.ready(writer)
    await advance(0)
    for (let beats = 1; beats < BEATS_AN_HOUR; beats++) await advance(30_000)
    state[trouble] = true
    for (let beats = 0; beats < 3; beats++) assert.deepEqual(await advance(30_000), [], trouble)
    state.fails = false
    assert.deepEqual(await advance(30_000), trouble === 'fails' ? ['WATCHDOG=1'] : [], trouble)
  }
})

test('a writer that hangs soon after a commit sends no keep-alive', async () => {
  const { report, state, advance, writer } = rig()
  report.ready(writer)
  await advance(0)
  state.hangs = true
  assert.deepEqual(await advance(60_000), [])
})

test('the status is sent when it changes, with the keys that need a restart', async () => {
  const { report, state, advance, writer, messages } = rig()
  report.ready(writer)
  await advance(0)
  state.devicesOnline = 2
  assert.deepEqual(await advance(15_000), ['STATUS=2 phones connected, 3 messages waiting'])
  assert.deepEqual(await advance(14_000), [])
  report.reloading()
  assert.match(messages.splice(0).join('|'), /^RELOADING=1\nMONOTONIC_USEC=\d+$/)
  report.reloaded('Restart for: http.port')
  const sent = ['READY=1', 'STATUS=2 phones connected, 3 messages waiting. Restart for: http.port']
  assert.deepEqual(await advance(0), sent)
})

test('a critical problem is part of the status line until it ends', async () => {
  const { report, state, advance, writer } = rig()
  report.ready(writer)
  await advance(0)
  state.critical = 'The disk is full: no message is accepted until there is room'
  const sent = await advance(15_000)
  assert.deepEqual(sent, [`STATUS=1 phone connected, 3 messages waiting. ${state.critical}`])
  state.critical = null
  const beat = (await advance(15_000)).filter(line => line !== 'WATCHDOG=1')
  assert.deepEqual(beat, ['STATUS=1 phone connected, 3 messages waiting'])
})

test('a migration extends the start timeout for as long as it runs', async () => {
  const { report, advance, writer, messages } = rig()
  report.migrating({ step: 1, steps: 2, percent: 0 })
  const first = ['STATUS=Bringing the database up to date: step 1 of 2', 'EXTEND_TIMEOUT_USEC=120000000']
  assert.deepEqual(messages.splice(0), first)
  assert.deepEqual(await advance(30_000), ['EXTEND_TIMEOUT_USEC=120000000'])
  report.migrating({ step: 2, steps: 2, percent: 0 })
  report.migrating({ step: 2, steps: 2, percent: 7 })
  assert.deepEqual(messages.splice(0), [
    'STATUS=Bringing the database up to date: step 2 of 2',
    'STATUS=Bringing the database up to date: step 2 of 2, 7 %',
  ])
  report.ready(writer)
  assert.ok(!(await advance(60_000)).some(line => line.startsWith('EXTEND')))
})

test('a gateway that stops or fails says so, and sends no more keep-alives', async () => {
  const stopping = rig()
  stopping.report.ready(stopping.writer)
  await stopping.advance(0)
  stopping.report.stopping()
  assert.deepEqual(await stopping.advance(120_000), ['STOPPING=1\nSTATUS=Stopping'])
  const failing = rig()
  failing.report.failed('cannot listen on 0.0.0.0 port 80')
  assert.deepEqual(failing.messages, ['STATUS=Failed: cannot listen on 0.0.0.0 port 80'])
})
