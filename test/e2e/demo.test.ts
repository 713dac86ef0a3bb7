/** `roost demo` as a real program: what it shows, what it leaves alone, and what is left of it. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { suite, type TestContext, test } from 'node:test'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { roost, runToEnd } from '#test/kit/program.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

const timeout = HANGS_AFTER_MS

interface Demo {
  readonly url: string
  readonly setupUrl: string
  readonly webhookUrl: string
  readonly folder: string
}

/** A place where demos make their folders, and settings of a gateway that they must not touch. */
async function openPlace(t: TestContext) {
  const cwd = temporaryDirectory(t)
  const [temporary, dataDir] = [join(cwd, 'tmp'), join(cwd, 'data')]
  mkdirSync(temporary)
  let calls = 0
  const broker = createServer(() => {
    calls += 1
  })
  await new Promise<void>(resolve => broker.listen(0, '127.0.0.1', resolve))
  t.after(() => broker.close())
  const { port } = broker.address() as { port: number }
  const mqtt = `mqtt://127.0.0.1:${port}`
  const env = { TMPDIR: temporary, ROOST_DATA_DIR: dataDir, ROOST_MQTT__URL: mqtt, ROOST_HTTP__PORT: 'wrong' }
  return {
    temporary,
    left: () => readdirSync(temporary),
    touched: () => [calls, existsSync(dataDir)],
    async start(...args: readonly string[]) {
      const program = roost(['demo', '--json', ...args], { cwd, env })
      t.after(() => program.child.kill('SIGKILL'))
      const demo = JSON.parse(await program.stdout.until(/^\{/)) as Demo
      return { program, demo, text: () => program.stderr.until(/^Text to/) }
    },
    run: (...args: readonly string[]) => runToEnd(['demo', ...args], { cwd, env }),
  }
}

suite('a demo', () => {
  test('shows an alert that asks, and touches neither the data nor the broker of a gateway', {
    timeout,
  }, async t => {
    const place = await openPlace(t)
    const { program, demo, text } = await place.start()
    assert.match(demo.url, /^http:\/\/127\.0\.0\.1:\d+$/)
    assert.match(demo.setupUrl, /^http:\/\/127\.0\.0\.1:\d+\/#\/setup\/stp_/)
    assert.equal(statSync(demo.folder).mode & 0o777, 0o700)
    assert.match(await text(), /^Text to \+14155550101: DOWN nas: no answer .*Reply \d+: I take it$/)
    const posted = await fetch(demo.webhookUrl, { method: 'POST', body: 'Backup failed on nas' })
    assert.equal(posted.status, 200)
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 0)
    assert.deepEqual(place.left(), [])
    assert.deepEqual(place.touched(), [0, false])
  })

  for (const signal of ['SIGHUP', 'SIGINT'] as const)
    test(`leaves nothing behind after ${signal}`, { timeout }, async t => {
      const place = await openPlace(t)
      const { program } = await place.start('--lan')
      program.child.kill(signal)
      assert.equal(await program.ended, 0)
      assert.deepEqual(place.left(), [])
    })

  test('removes what a killed one left, and not what another one uses', { timeout }, async t => {
    const place = await openPlace(t)
    const [killed, running] = [await place.start(), await place.start()]
    killed.program.child.kill('SIGKILL')
    await killed.program.ended
    assert.ok(existsSync(killed.demo.folder))
    const next = await place.start()
    assert.deepEqual(
      place
        .left()
        .map(name => join(place.temporary, name))
        .sort(),
      [...[running.demo.folder, next.demo.folder].sort()],
    )
    for (const { program } of [running, next]) {
      program.child.kill('SIGTERM')
      assert.equal(await program.ended, 0)
    }
    assert.deepEqual(place.left(), [])
  })

  test('removes no folder that no demo made', { timeout }, async t => {
    const place = await openPlace(t)
    const folders = ['roost-demo-plans1', 'roost-demo-plans2', 'roost-demo-plans-of-mine']
    for (const name of folders) mkdirSync(join(place.temporary, name))
    mkdirSync(join(place.temporary, 'roost-demo-plans2', 'made-by-roost-demo'))
    writeFileSync(join(place.temporary, 'roost-demo-plans-of-mine', 'made-by-roost-demo'), '')
    const { program } = await place.start()
    program.child.kill('SIGTERM')
    assert.equal(await program.ended, 0)
    assert.deepEqual(place.left().sort(), folders.sort())
    assert.deepEqual(readdirSync(join(place.temporary, 'roost-demo-plans1')), [])
  })

  test('takes no settings', { timeout }, async t => {
    const place = await openPlace(t)
    const { code, stderr } = await place.run('--data', 'here')
    assert.deepEqual([code, place.left()], [2, []])
    assert.match(stderr, /leave out --config and --data/)
  })
})
