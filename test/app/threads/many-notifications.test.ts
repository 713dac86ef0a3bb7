/** A gateway that starts with many pending notifications, most of them for a receiver that hangs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { startGateway } from '#test/kit/gateway.ts'
import { localReceiver } from '#test/kit/local-delivery.ts'
import { NotifiedWorld } from '#test/kit/notified-world.ts'
import { answering, silent } from '#test/kit/rogue-receiver.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'
import { TestWorld } from '#test/kit/world.ts'

const PENDING = 10_000
const WELL = 500

test('with 10,000 notifications for a hanging receiver, a gateway starts and serves others', async t => {
  const folder = temporaryDirectory(t)
  const directory = dataDirectory(folder)
  makeDataDirectory(directory)
  const world = new TestWorld(directory.database)
  world.wallMs = Date.now()
  const given = new NotifiedWorld(world)
  const hung = await localReceiver(t, silent)
  const order: string[] = []
  const all = Promise.withResolvers<void>()
  const well = await localReceiver(t, (request, response) => {
    order.push(String(request.headers['x-webhook-id']))
    if (order.length === WELL) all.resolve()
    answering(204)(request, response)
  })
  given.subscribe(hung.url)
  given.world.ask('notification.test', { accountId: given.accountId })
  // Many copies of that notification, then some for another receiver.
  const insert = (count: number, first: number, own: string | null) =>
    world.database
      .prepare(`
        INSERT INTO notification_delivery (id, account_id, event, subject_id, own_url, lane, body, created_at,
          status, attempts, tries, next_at, log)
        WITH RECURSIVE n (i) AS (SELECT ${first} UNION ALL SELECT i + 1 FROM n WHERE i < ${first + count - 1})
        SELECT 'evt_' || i, account_id, event, 'msg_' || i, ?, lane || ?, body, created_at,
          status, attempts, tries, next_at, log FROM n, (SELECT * FROM notification_delivery LIMIT 1)`)
      .run(own, own === null ? '' : ' other')
  insert(PENDING, 1, null)
  insert(WELL, PENDING + 1, well.url)
  world.database.close()

  const gateway = await startGateway({
    dataDir: folder,
    config: { notifications: { allowed_hosts: ['127.0.0.1'] } },
  })
  t.after(() => gateway.stop())
  await all.promise
  assert.deepEqual(
    order.toSorted(),
    Array.from({ length: WELL }, (_, index) => `evt_${PENDING + 1 + index}`).toSorted(),
  )
  assert.ok(hung.requests.length <= 4, `${hung.requests.length} requests at once to the receiver that hangs`)
})
