/** What the page *Now* of the console shows, in one answer. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OVERVIEW } from '#contracts/overview.ts'
import { openSession } from '#test/kit/open-session.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

type Pages = Record<string, { readonly data: unknown; readonly nextCursor: string | null }>

test('the overview answers what its calls answer one by one, with the past of the phones', async () => {
  const gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  const { headers } = await openSession(gateway, owner)
  const { deviceId } = await PairedPhone.pair(gateway, owner.accountId)
  await gateway.call('POST', '/api/v1/people', {
    token: owner.token,
    json: { name: 'Ada', phoneNumber: '+393331234567' },
  })
  const { status, text } = await gateway.call('GET', '/api/v1/overview', { headers })
  assert.equal(status, 200, text)
  const pages = (JSON.parse(text) as { data: Pages }).data
  const past = `devices/${deviceId}/history?days=1`
  assert.deepEqual(Object.keys(pages).toSorted(), [...OVERVIEW, 'configuration', past].toSorted())
  for (const path of [...OVERVIEW, 'configuration', past]) {
    if (path === 'status') continue
    const alone = JSON.parse((await gateway.call('GET', `/api/v1/${path}`, { headers })).text)
    assert.deepEqual(pages[path], { data: alone.data, nextCursor: alone.page?.nextCursor ?? null }, path)
  }
})

test('the overview is for a session alone', async () => {
  const gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  for (const credential of [{ key: owner.liveKey }, { token: owner.token }, {}])
    assert.equal((await gateway.call('GET', '/api/v1/overview', credential)).status, 401)
})
