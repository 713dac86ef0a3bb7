import assert from 'node:assert/strict'
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Clock } from '#agent/clock.ts'
import { systemClock } from '#agent/clock.ts'
import type { Order } from '#agent/drivers/driver.ts'
import { execDriver } from '#agent/drivers/exec/exec-driver.ts'
import { ASKED_MS_MAX } from '#agent/drivers/run-process.ts'
import { messageIdOf } from '#test/kit/fake-gateway.ts'
import { HandClock } from '#test/kit/hand-clock.ts'
import { nextLook } from '#test/kit/next-turn.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const options = { timeout: HANGS_AFTER_MS }
const order: Order = {
  messageId: messageIdOf(1),
  attempt: 3,
  phoneNumber: '+15550100',
  message: `it's "quoted" $HOME \`id\` \\n\nsecond line 😀`,
  segments: 2,
  simSlot: 2,
  kind: 'sms',
  ttlMs: 3_600_000,
  acceptedAt: '2026-01-31T12:00:00.000Z',
  mark: null,
  at: '2026-01-31T12:00:00.000Z',
}
const never = new AbortController().signal

function driverOf(
  command: string,
  changes: {
    lookUpCommand?: string
    callCommand?: string
    clock?: Clock
    exitZeroIsDelivered?: boolean
  } = {},
) {
  const {
    clock = systemClock,
    lookUpCommand = null,
    callCommand = null,
    exitZeroIsDelivered = false,
  } = changes
  return execDriver(clock, { command, lookUpCommand, callCommand, exitZeroIsDelivered, env: process.env })
}

test('the command gets the message in its environment, untouched', options, async t => {
  const file = join(temporaryDirectory(t), 'seen')
  const names = ['PHONE_NUMBER', 'MESSAGE_ID', 'ATTEMPT', 'SEGMENTS', 'SIM_SLOT', 'MESSAGE']
  const command = names.map(name => `printf '%s\\n' "$ROOST_${name}" >> '${file}'`).join('; ')
  assert.deepEqual(await driverOf(command).send(order, never), { state: 'sent' })
  const seen = readFileSync(file, 'utf8')
  assert.equal(seen, `+15550100\n${order.messageId}\n3\n2\n2\n${order.message}\n`)
})

for (const [command, outcome] of [
  ['exit 0', { state: 'sent' }],
  ['exit 75', { state: 'failed', code: 'NO_SERVICE' }],
  ['exit 70', { state: 'uncertain', code: 'EXEC_EXIT_70' }],
  ['exit 1', { state: 'failed', code: 'EXEC_EXIT_1' }],
  ['a-command-that-is-not-there 2>&-', { state: 'failed', code: 'EXEC_EXIT_127' }],
  ['kill -9 $$', { state: 'uncertain', code: 'EXEC_SIGKILL' }],
] as const) {
  test(`"${command}" means ${outcome.state}`, options, async () => {
    const { detail: _, ...found } = await driverOf(command).send(order, never)
    assert.deepEqual(found, outcome)
  })
}

test('a text that no environment variable can hold ends as failed, not as uncertain', options, async () => {
  const outcome = await driverOf('exit 0').send({ ...order, message: 'a\0b' }, never)
  assert.deepEqual([outcome.state, outcome.code], ['failed', 'EXEC_NOT_STARTED'])
})

test(
  'a command that runs longer than a minute is killed with its children, and the outcome is uncertain',
  options,
  async t => {
    const clock = new HandClock()
    const file = join(temporaryDirectory(t), 'pid')
    const command = `sleep 1000 & echo $! > '${file}.new'; mv '${file}.new' '${file}'; wait`
    const outcome = driverOf(command, { clock }).send(order, never)
    while (!existsSync(file)) await nextLook()
    const pid = Number(readFileSync(file, 'utf8'))
    clock.advance(60_000)
    assert.deepEqual(await outcome, { state: 'uncertain', code: 'EXEC_TIMED_OUT' })
    const isRunning = () =>
      existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    while (isRunning()) await nextLook()
  },
)

test(
  'after a crash the look-up command decides the outcome; without one the outcome is unknown',
  options,
  async () => {
    const lookUp = (lookUpCommand?: string) =>
      driverOf('exit 0', lookUpCommand === undefined ? {} : { lookUpCommand }).lookUp?.(order, never)
    assert.deepEqual(await lookUp('test "$ROOST_ATTEMPT" = 3'), { state: 'sent' })
    assert.equal(await lookUp('exit 1'), 'not-sent')
    assert.equal(await lookUp('exit 2'), 'unknown')
    assert.equal(await lookUp('kill -9 $$'), 'unknown')
    assert.equal(await lookUp(), 'unknown')
  },
)

test('a command that begins only after a note to the agent never begins if that fails', options, async t => {
  const file = join(temporaryDirectory(t), 'sent')
  const fails = () => {
    throw new Error('the disk is full')
  }
  await assert.rejects(driverOf(`touch '${file}'`).send(order, never, fails), /the disk is full/)
  let began = ''
  const note = (command: string) => {
    assert.equal(existsSync(file), false)
    began = command
  }
  assert.deepEqual(await driverOf(`touch '${file}'`).send(order, never, note), { state: 'sent' })
  assert.match(began, /^\d+ \d+@[0-9a-f-]{36} [0-9a-f-]{36}$/)
  assert.equal(existsSync(file), true)
})

test('a command that cannot run is trouble as long as it cannot', options, async t => {
  const file = join(temporaryDirectory(t), 'send')
  const check = (command: string) => driverOf(command).check?.()
  assert.equal(await check(`${file} --now`), `the command of --exec, ${file}, does not exist`)
  writeFileSync(file, '#!/bin/sh\n')
  assert.match((await check(file)) ?? '', /may not be executed: run chmod \+x/)
  chmodSync(file, 0o755)
  assert.equal(await check(file), null)
  const missing = 'the command of --exec, a-command-that-is-not-there, was not found'
  assert.equal(await check('a-command-that-is-not-there "$ROOST_MESSAGE"'), missing)
  for (const fine of ['printf %s', 'if true; then exit 0; fi', 'A=1 b', '"$HOME/send"', 'sh -c x'])
    assert.equal(await check(fine), null, fine)
})

test('exit code 0 means sent, and delivered only with --exit-0-is-delivered', options, async () => {
  assert.equal(await driverOf('').follow?.(order, 'sent', never), null)
  const knowing = driverOf('', { exitZeroIsDelivered: true })
  assert.deepEqual(await knowing.follow?.(order, 'sent', never), { state: 'delivered' })
})

const RING_ON = 'while :; do sleep 0.01; done'

/** Lets the command ring +15550100 for 25 s. */
function ringBy(callCommand: string, clock: Clock = systemClock, signal = never) {
  return driverOf('exit 1', { callCommand, clock }).ring?.('+15550100', 25, signal)
}

for (const [command, outcome] of [
  ['exit 0', 'rang'],
  ['exit 75', 'busy'],
  ['exit 70', 'failed'],
  ['a-command-that-is-not-there 2>&-', 'failed'],
  ['kill -9 $$', 'failed'],
  ['test "$ROOST_PHONE_NUMBER $ROOST_RING_SECONDS" = "+15550100 25"', 'rang'],
] as const)
  test(`a ring by "${command}" has the outcome ${outcome}`, options, async () => {
    assert.equal(await ringBy(command), outcome)
  })

test('a phone without --exec-call cannot ring', () => {
  assert.equal(driverOf('exit 0').ring, undefined)
})

for (const how of ['its seconds are over', 'it is told to stop'])
  test(`a command that rings gets SIGTERM when ${how}, and has rung`, options, async t => {
    const clock = new HandClock()
    const folder = temporaryDirectory(t)
    const began = join(folder, 'began')
    const command = `trap 'echo hung up > "${folder}/end"; exit 3' TERM; : > '${began}'; ${RING_ON}`
    const stop = new AbortController()
    const outcome = ringBy(command, clock, stop.signal)
    while (!existsSync(began)) await nextLook()
    if (how === 'it is told to stop') stop.abort()
    else clock.advance(25_000)
    assert.equal(await outcome, 'rang')
    assert.equal(readFileSync(join(folder, 'end'), 'utf8'), 'hung up\n')
  })

for (const what of ['a command', 'what a command started'])
  test(`${what} that rings on after SIGTERM is killed`, options, async t => {
    const clock = new HandClock()
    const file = join(temporaryDirectory(t), 'pid')
    const stubborn = `sh -c 'trap "" TERM; echo $$ > "${file}.new"; mv "${file}.new" "${file}"; ${RING_ON}'`
    const isAlone = what === 'a command'
    const outcome = ringBy(isAlone ? `exec ${stubborn}` : `${stubborn} & wait`, clock)
    while (!existsSync(file)) await nextLook()
    const pid = Number(readFileSync(file, 'utf8'))
    const isRunning = () =>
      existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
    clock.advance(25_000)
    assert.ok(isRunning())
    if (isAlone) clock.advance(ASKED_MS_MAX)
    assert.equal(await outcome, 'rang')
    while (isRunning()) await nextLook()
  })
