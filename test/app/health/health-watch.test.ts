import assert from 'node:assert/strict'
import { utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { HealthWatch, TimeServer } from '#app/health/health-watch.ts'
import type { Writer } from '#contracts/commands.ts'
import { CONFIG_DEFAULTS } from '#contracts/config.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

test('while the clock is in doubt the machine is asked, and what it says is believed', async t => {
  const asked: string[] = []
  let isClockInDoubt = true
  let isSynchronised = false
  let nowMs = 0
  let tick = () => {}
  const ask = (name: string) => {
    asked.push(name)
    if (name === 'clock.confirm') isClockInDoubt = false
    return Promise.resolve({ isClockInDoubt })
  }
  const part = { failure: null, damage: null, onChange() {} }
  const waits: (() => void)[] = []
  const watch = new HealthWatch({
    config: CONFIG_DEFAULTS,
    writer: { ask } as unknown as Writer,
    backups: part,
    checks: part,
    cluster: null,
    monoMs: () => nowMs,
    after: run => {
      tick = run
      for (const wait of waits.splice(0)) wait()
      return () => {}
    },
    timeServer: {
      isSynchronised: () => {
        asked.push('machine')
        return Promise.resolve(isSynchronised)
      },
    },
  })
  t.after(() => watch.stop())
  const checked = () => new Promise<void>(resolve => waits.push(resolve))
  const first = checked()
  watch.start()
  await first
  assert.deepEqual(asked.splice(0), ['health.check', 'machine'])
  isSynchronised = true
  for (const wanted of [['health.check'], ['health.check', 'machine', 'clock.confirm'], ['health.check']]) {
    nowMs += 10_000
    const next = checked()
    tick()
    await next
    assert.deepEqual(asked.splice(0), wanted)
  }
})

function makeFile(t: TestContext): string {
  const folder = temporaryDirectory(t)
  return join(folder, 'synchronized')
}

test('what timedatectl says counts before the file of the time service', async t => {
  const file = makeFile(t)
  writeFileSync(file, '')
  for (const [said, wanted] of [
    ['NTPSynchronized=yes\n', true],
    ['NTPSynchronized=no\n', false],
    [null, true],
  ] as const) {
    const server = new TimeServer({ file, askTimedatectl: () => Promise.resolve(said) })
    assert.equal(await server.isSynchronised(), wanted)
  }
})

test('without timedatectl the clock is right each time that the file is touched', async t => {
  const file = makeFile(t)
  const server = new TimeServer({ file, askTimedatectl: () => Promise.resolve(null) })
  const seen = [await server.isSynchronised()]
  for (const touchedAt of [1000, 1000, 3000]) {
    writeFileSync(file, '')
    utimesSync(file, touchedAt, touchedAt)
    seen.push(await server.isSynchronised())
  }
  assert.deepEqual(seen, [false, true, false, true])
})
