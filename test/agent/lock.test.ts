import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { takeLock } from '#agent/lock.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('a lock is refused while its holder runs, and free after it is released', async t => {
  const file = join(temporaryDirectory(t), 'lock')
  const child = spawn('sleep', ['1000'])
  t.after(() => child.kill('SIGKILL'))
  await once(child, 'spawn')
  const stat = readFileSync(`/proc/${child.pid}/stat`, 'utf8')
  const started = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
  const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  writeFileSync(file, `${child.pid} ${started}@${boot}\n`)
  assert.throws(() => takeLock(file), new RegExp(`Another agent \\(process ${child.pid}\\)`))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const giveBack = takeLock(file)
  assert.ok(readFileSync(file, 'utf8').startsWith(`${process.pid} `))
  giveBack()
  assert.ok(!existsSync(file))
})

for (const [what, content] of [
  ['a process that has ended', '999999999 1@x\n'],
  ['a process whose pid now belongs to another process', `${process.ppid} 1@x\n`],
  ['an earlier process with the pid of this one, as in a container', `${process.pid} 1@x\n`],
  ['a crash that left the file empty', ''],
] as const) {
  test(`a lock left behind by ${what} is taken over`, t => {
    const file = join(temporaryDirectory(t), 'lock')
    writeFileSync(file, content)
    takeLock(file)()
    assert.ok(!existsSync(file))
  })
}

test('a lock with only a pid is not taken over while that process runs', t => {
  const file = join(temporaryDirectory(t), 'lock')
  writeFileSync(file, `${process.ppid} -\n`)
  assert.throws(() => takeLock(file), /Another agent/)
})
