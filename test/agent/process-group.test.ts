import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type TestContext, test } from 'node:test'
import { systemClock } from '#agent/clock.ts'
import { endGroup, startOf } from '#agent/process-group.ts'

const never = new AbortController().signal

/** A shell in a group of its own. Resolves when it has printed a line. */
async function shell(t: TestContext, script: string, env = process.env) {
  const child = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'pipe', 'ignore'], env })
  t.after(() => child.kill('SIGKILL'))
  const pid = child.pid ?? 0
  const start = startOf(pid)
  const exit = once(child, 'exit')
  const [line] = await once(child.stdout, 'data')
  return { pid, command: `${pid} ${start}`, exit, line: String(line).trim() }
}

/** A killed process stays in the list until its parent has noticed. */
function isRunning(pid: number): boolean {
  try {
    return !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))
  } catch {
    return false
  }
}

test('a command is ended, and gone when the promise resolves', async t => {
  const { command, exit } = await shell(t, 'echo; read line')
  assert.equal(await endGroup(systemClock, command, never), true)
  assert.deepEqual(await exit, [null, 'SIGKILL'])
})

test('what a command left behind when it ended is ended, too', async t => {
  const { command, exit, line } = await shell(t, 'sleep 1000 >&- & echo $!; exit 0')
  await exit
  assert.equal(isRunning(Number(line)), true)
  assert.equal(await endGroup(systemClock, command, never), true)
  assert.equal(isRunning(Number(line)), false)
})

test('a process of a command that has left its session is ended, too', async t => {
  const env = { ...process.env, ROOST_COMMAND: 'the-mark' }
  const { command, exit, line } = await shell(
    t,
    'setsid sh -c "echo \\$\\$; exec sleep 1000 >&-" & wait',
    env,
  )
  assert.equal(isRunning(Number(line)), true)
  assert.equal(await endGroup(systemClock, `${command} the-mark`, never), true)
  await exit
  assert.equal(isRunning(Number(line)), false)
})

test('a process that got the id of a command that had ended stays as it is', async t => {
  const { pid, command } = await shell(t, 'echo; read line')
  const [, start = ''] = command.split(' ')
  const [ticks = '', boot = ''] = start.split('@')
  for (const other of [`${Number(ticks) - 1}@${boot}`, `${ticks}@${'0'.repeat(36)}`])
    assert.equal(await endGroup(systemClock, `${pid} ${other}`, never), true)
  assert.equal(isRunning(pid), true)
})

test('without a start time nothing is ended, and a group that runs counts as running', async t => {
  const { pid } = await shell(t, 'echo; read line')
  assert.equal(await endGroup(systemClock, `${pid} -`, never), false)
  assert.equal(isRunning(pid), true)
})
