import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CloudApp } from '#test/kit/cloud-app.ts'
import { GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(2, 40)

test('after kill -9 between fetch and answer, no text is given to two phones', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const gateway = await GatewayProcess.start(t)
  const phones = [await registered(gateway), await registered(gateway)]
  const given = phones.map(() => new Set<string>())
  const sent = new Set<string>()
  const pull = async (phone: CloudApp, known: Set<string>) => {
    for (const { id } of await phone.pull()) known.add(String(id))
  }
  const pullAll = async () => {
    for (const [index, phone] of phones.entries()) await pull(phone, given[index] ?? new Set())
  }
  for (let round = 0; round < ROUNDS; round += 1) {
    sent.add(await gateway.send(`round ${round}`, { queueIfOffline: true }))
    const fetching = Promise.allSettled(phones.map((phone, index) => pull(phone, given[index] ?? new Set())))
    // Kill at a varying moment between the arrival of the request and its answer.
    for (let turns = 0; turns < round; turns += 1) await new Promise(setImmediate)
    await gateway.kill()
    await fetching
    await gateway.restart()
    await pullAll()
    for (const [index, phone] of phones.entries())
      for (const id of given[index] ?? []) await phone.report(id, 'Sent')
  }
  const [one = new Set<string>(), other = new Set<string>()] = given
  assert.deepEqual(
    [...one].filter(id => other.has(id)),
    [],
    'given to two phones',
  )
  assert.deepEqual([...one, ...other].sort(), [...sent].sort(), 'each text is given once, under its first id')
  for (const id of sent) assert.equal((await gateway.message(id)).status, 'sent')
})

async function registered(gateway: GatewayProcess): Promise<CloudApp> {
  const { data } = await gateway.asOwner('POST', '/devices/pairings', {})
  const app = new CloudApp(`${gateway.url}/smsgate/v1`)
  const { status } = await app.register(`Code ${(data as { code: string }).code}`)
  assert.equal(status, 201)
  return app
}
