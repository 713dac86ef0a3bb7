import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { ChatServices, KNOWN } from '#test/kit/chat-services.ts'
import { type Cleaner, GatewayProcess } from '#test/kit/gateway-process.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { RawPhone } from '#test/kit/raw-websocket.ts'
import { startReceiver } from '#test/kit/rogue-receiver.ts'
import { sized } from '#test/kit/test-size.ts'

const ROUNDS = sized(3, 20)

/** A server for Matrix that answers, or keeps quiet while `isQuiet`. */
async function startMatrix(t: Cleaner) {
  const services = new ChatServices()
  const it = { services, isQuiet: false, arrived: Promise.withResolvers<void>(), url: '' }
  const receiver = await startReceiver((request, response) => {
    it.arrived.resolve()
    if (!it.isQuiet) services.behave(request, response)
  })
  t.after(() => receiver.close())
  it.url = receiver.url.replace(/hook$/, 'matrix')
  return it
}

test('a text that was acknowledged arrives after a kill, and nobody reads or gets it twice', {
  timeout: HANGS_AFTER_MS,
}, async t => {
  const matrix = await startMatrix(t)
  const gateway = await GatewayProcess.start(t, {
    env: { ROOST_NOTIFICATIONS__ALLOWED_HOSTS: '["127.0.0.1"]' },
  })
  const ada = await gateway.asOwner('POST', '/people', { name: 'Ada', phoneNumber: '+14155550201' })
  const target = (ada.data as { id: string }).id
  const { url } = matrix
  for (const fields of [
    { kind: 'matrix', url, target: KNOWN.room, credential: KNOWN.matrix },
    { kind: 'sms', target },
  ]) {
    const { status, error } = await gateway.asOwner('POST', '/forwards', { name: fields.kind, ...fields })
    assert.equal(status, 200, JSON.stringify(error))
  }
  const { token } = await gateway.pair('Shelf')
  const texts: string[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const phone = await RawPhone.ready(gateway.url, token)
    const message = `text ${round}`
    texts.push(message)
    // Every second text reaches the service before the kill, but its answer never comes.
    matrix.isQuiet = true
    matrix.arrived = Promise.withResolvers()
    phone.sendFrame({ type: 'received', id: `r${round}`, from: '+14155550144', message })
    await phone.next('ack')
    if (round % 2 === 1) await matrix.arrived.promise
    await gateway.kill()
    phone.close()
    matrix.isQuiet = false
    await gateway.restart()
  }
  const database = openReadOnly(dataDirectory(gateway.dataDir).database)
  t.after(() => database.close())
  const pending = database.prepare("SELECT count(*) AS n FROM notification_delivery WHERE status = 'pending'")
  await gateway.until(async () => Number(pending.get()?.['n']) === 0)
  const wanted = texts.map(text => `Text from +14155550144:\n${text}`).toSorted()
  assert.deepEqual(matrix.services.shown.map(({ text }) => text).toSorted(), wanted)
  const sent = database.prepare('SELECT text FROM message ORDER BY text').all()
  assert.deepEqual(
    sent.map(({ text }) => text),
    wanted,
  )
})
