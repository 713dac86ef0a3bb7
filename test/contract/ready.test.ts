import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dataDirectory } from '#storage/data-directory.ts'
import { openReadOnly } from '#storage/database.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'

let gateway: TestGateway
before(async () => {
  gateway = await startGateway()
})
after(() => gateway.stop())

test('/readyz writes once a second, however often it is asked', async () => {
  const database = openReadOnly(dataDirectory(gateway.dataDir).database)
  const commits = () => Number(database.prepare('SELECT count FROM commit_count').get()?.['count'])
  const before = commits()
  const startedAt = performance.now()
  const asked = await Promise.all(Array.from({ length: 100 }, () => gateway.call('GET', '/readyz')))
  assert.ok(asked.every(({ status }) => status === 200))
  const seconds = Math.ceil((performance.now() - startedAt) / 1000)
  const writes = commits() - before
  database.close()
  assert.ok(writes >= 1 && writes <= seconds, `${writes} writes in ${seconds} s`)
})
