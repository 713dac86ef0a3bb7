import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { bundled } from '#test/kit/bundle.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { GatewayProcess, type GatewaySettings } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { start } from '#test/kit/program.ts'

const timeout = HANGS_AFTER_MS
const settings: GatewaySettings = {
  program: options => start([process.execPath, bundled('mortal-gateway')], options),
}

suite('threads that die', () => {
  test('a dying listener is replaced, and its phones reconnect to the new one', { timeout }, async t => {
    const gateway = await GatewayProcess.start(t, settings)
    const phone = new FakePhone(await gateway.pair('one'))
    await phone.connect(gateway.socketUrl)
    const closed = new Promise(resolve => phone.once('closed', resolve))
    const replaced = gateway.program.stderr.until(/listener\.replaced/)
    gateway.program.child.stdin?.write('listener\n')
    await Promise.all([replaced, closed])
    await gateway.program.stderr.until(/"event":"listener\.listening"/)
    await phone.connect(gateway.socketUrl)
    const id = await gateway.send('after')
    await gateway.reached(id, 'delivered')
    assert.deepEqual(phone.radio, [id])
    assert.equal(await gateway.stop(), 0)
  })

  test('a dying writer ends the process, and the next process continues', { timeout }, async t => {
    const gateway = await GatewayProcess.start(t, settings)
    const id = await gateway.send('waits', { queueIfOffline: true })
    gateway.program.child.stdin?.write('writer\n')
    assert.equal(await gateway.program.ended, 1)
    await gateway.restart()
    assert.equal((await gateway.message(id)).status, 'queued')
  })
})
