import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, suite, test } from 'node:test'
import { saveIdentity } from '#agent/identity.ts'
import type { ChildInput } from '#test/kit/agent-child.program.ts'
import { bundled } from '#test/kit/bundle.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { type Program, start } from '#test/kit/program.ts'
import { RadioGate } from '#test/kit/radio-gate.ts'
import { onlyLong } from '#test/kit/test-size.ts'

const timeout = HANGS_AFTER_MS
const CHILD = bundled('agent-child')

type Fault = Pick<ChildInput, 'dieAt' | 'dieWhen'>

/** The agent writes its journal when it accepts, after `go` (before it sends), and after it sent. */
const PLACES: readonly { readonly place: string; readonly fault: Fault }[] = [
  { place: 'before it asks to begin', fault: { dieAt: 1, dieWhen: 'after' } },
  { place: 'after go', fault: { dieAt: 2, dieWhen: 'before' } },
  { place: 'before the radio', fault: { dieAt: 2, dieWhen: 'after' } },
  { place: 'after the radio', fault: { dieAt: 3, dieWhen: 'before' } },
  { place: 'before its report', fault: { dieAt: 3, dieWhen: 'after' } },
]
/** The quick size has one place. `test/agent/crash.test.ts` has the agent alone at each of its writes. */
const optionsAt = (place: string) => ({ timeout, skip: place !== 'after the radio' && onlyLong('crashes') })
const HEALTHY: Fault = { dieAt: 0, dieWhen: 'before' }

let gateway: GatewayProcess
let radio: RadioGate
const cleaning: (() => unknown)[] = []
const cleaner: Cleaner = { after: done => cleaning.unshift(done) }

before(async () => {
  // A busy machine may take longer than this second, so every text may also wait for its phone.
  gateway = await GatewayProcess.start(cleaner, { env: { ROOST_DEVICES__OFFLINE_AFTER_S: '1' } })
  radio = await RadioGate.start(cleaner)
})
after(async () => {
  for (const clean of cleaning) await clean()
})

interface Phone {
  readonly deviceId: string
  run(fault: Fault, dieBy?: ChildInput['dieBy']): Promise<Program>
}

async function phoneOf(t: Cleaner): Promise<Phone> {
  const { deviceId, token, socketUrl } = await gateway.pair('one')
  const stateFile = join(gateway.folder, `${deviceId}.json`)
  saveIdentity(stateFile, { version: 1, deviceId, token, socketUrl, name: 'one', pairedAt: '' })
  const clockFile = join(gateway.folder, 'clock')
  writeFileSync(clockFile, '0')
  const { exec, execLookUp } = radio
  return {
    deviceId,
    async run(fault, dieBy = 'SIGKILL') {
      const input: ChildInput = { stateFile, exec, execLookUp, clockFile, dieBy, ...fault }
      const program = start([process.execPath, CHILD, JSON.stringify(input)], { cwd: gateway.folder })
      t.after(async () => {
        program.child.kill('SIGKILL')
        await program.ended
      })
      await program.stderr.until(/^Connected/)
      return program
    },
  }
}

function isOffline(deviceId: string): () => Promise<boolean> {
  return async () => {
    const { data } = await gateway.api('GET', `/devices/${deviceId}`)
    return (data as { status: string }).status === 'offline'
  }
}

suite('a phone that is killed', () => {
  for (const { place, fault } of PLACES)
    test(`${place} sends the text once`, optionsAt(place), async t => {
      radio.endsAtOnce = true
      const phone = await phoneOf(t)
      const doomed = await phone.run(fault)
      const { deviceId } = phone
      const id = await gateway.send(place, { deviceId, queueIfOffline: true })
      assert.equal(await doomed.ended, 'SIGKILL')
      await phone.run(HEALTHY)
      await gateway.reached(id, 'delivered')
      assert.equal(radio.runsOf(id), 1)
    })

  test('while the radio works sends the text once', { timeout }, async t => {
    radio.endsAtOnce = false
    const phone = await phoneOf(t)
    const doomed = await phone.run(HEALTHY)
    const id = await gateway.send('during', { deviceId: phone.deviceId, queueIfOffline: true })
    const call = await radio.called()
    doomed.child.kill('SIGKILL')
    await doomed.ended
    call.end(0)
    await phone.run(HEALTHY)
    await gateway.reached(id, 'delivered')
    assert.equal(radio.runsOf(id), 1)
  })
})

suite('a phone that is frozen', () => {
  for (const { place, fault } of PLACES)
    test(`${place} until it counts as offline sends the text once`, optionsAt(place), async t => {
      radio.endsAtOnce = true
      const phone = await phoneOf(t)
      const frozen = await phone.run(fault, 'SIGSTOP')
      const { deviceId } = phone
      const id = await gateway.send(place, { deviceId, queueIfOffline: true })
      await frozen.stderr.until(/^Frozen/)
      await gateway.until(isOffline(deviceId))
      frozen.child.kill('SIGCONT')
      await gateway.reached(id, 'delivered')
      assert.equal(radio.runsOf(id), 1)
    })

  test('while the radio works sends the text once', { timeout }, async t => {
    radio.endsAtOnce = false
    const phone = await phoneOf(t)
    const frozen = await phone.run(HEALTHY)
    const id = await gateway.send('during', { deviceId: phone.deviceId, queueIfOffline: true })
    const call = await radio.called()
    frozen.child.kill('SIGSTOP')
    await gateway.until(isOffline(phone.deviceId))
    call.end(0)
    frozen.child.kill('SIGCONT')
    await gateway.reached(id, 'delivered')
    assert.equal(radio.runsOf(id), 1)
  })
})
