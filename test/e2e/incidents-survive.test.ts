import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { DatabaseSync } from '#storage/sqlite.ts'
import { FakePhone } from '#test/kit/fake-phone.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'

const MINUTE = 60_000

test('after kill -9 at every step no step of an incident is lost, and none is told twice', async t => {
  const gateway = await GatewayProcess.start(t)
  const phone = new FakePhone(await gateway.pair('one'))
  const make = async (path: string, body: object) => {
    const { status, data } = await gateway.asOwner('POST', path, body)
    assert.equal(status, 200)
    return data as { id: string; url: string }
  }
  const { id: ada } = await make('/people', { name: 'Ada', phoneNumber: '+14155550201' })
  const { id: bob } = await make('/people', { name: 'Bob', phoneNumber: '+14155550202' })
  const steps = [
    { afterMinutes: 0, tell: [ada] },
    { afterMinutes: 5, tell: [bob] },
  ]
  const { id: policyId } = await make('/policies', { name: 'Night', steps, rounds: 2 })
  const { id, url } = await make('/webhooks', { name: 'Monitoring', recipients: [], policyId })
  const trigger = async (status: 0 | 1) => {
    const body = JSON.stringify({
      monitor: { name: 'NAS' },
      heartbeat: { status, msg: status === 0 ? 'timeout' : '200 - OK' },
    })
    const headers = { 'Content-Type': 'application/json' }
    const response = await fetch(gateway.url + url, { method: 'POST', headers, body })
    const { data } = (await response.json()) as { data: { incidentId: string } }
    return [response.status, data.incidentId] as const
  }
  const texts = async () =>
    (await gateway.messages(`&webhookId=${id}`))
      .map(one => `${one.phoneNumber?.at(-1)} ${one.message}`)
      .reverse()
  // Killed right after its answer.
  const [status, incidentId] = await trigger(0)
  assert.equal(status, 200)
  const told = ['1 DOWN NAS: timeout']
  const coming = [
    [5, ['2 DOWN NAS: timeout']],
    [10, ['1 Still: DOWN NAS: timeout']],
    [5, ['2 Still: DOWN NAS: timeout']],
    [10, ['1 Nobody took: DOWN NAS: timeout', '2 Nobody took: DOWN NAS: timeout']],
  ] as const
  for (const [minutes, next] of coming) {
    await gateway.kill()
    // As if so much time had passed while the gateway was off.
    shiftIncidents(gateway.dataDir, minutes * MINUTE)
    // The second start finds the step told.
    for (let start = 0; start < 2; start++) {
      await gateway.restart()
      await phone.connect(gateway.socketUrl)
      if (start === 0) told.push(...next)
      assert.deepEqual(await texts(), told)
      await gateway.kill()
    }
  }
  await gateway.restart()
  assert.deepEqual(await trigger(1), [200, incidentId])
  await gateway.kill()
  await gateway.restart()
  assert.deepEqual((await texts()).slice(told.length), ['1 UP NAS: 200 - OK', '2 UP NAS: 200 - OK'])
})

function shiftIncidents(dataDir: string, ms: number): void {
  const database = new DatabaseSync(join(dataDir, 'roost.db'))
  const rows = database.prepare("SELECT id, content FROM incident WHERE state = 'open'").all()
  assert.equal(rows.length, 1)
  for (const { id, content } of rows) {
    const incident = JSON.parse(String(content)) as { roundAt: number; dueAt: number }
    const moved = { ...incident, roundAt: incident.roundAt - ms, dueAt: incident.dueAt - ms }
    database
      .prepare('UPDATE incident SET content = ?, due_at = due_at - ? WHERE id = ?')
      .run(JSON.stringify(moved), ms, String(id))
  }
  database.close()
}
