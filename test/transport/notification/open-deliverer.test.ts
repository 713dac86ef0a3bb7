import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCAL, localReceiver, notificationTo } from '#test/kit/local-delivery.ts'
import { answering } from '#test/kit/rogue-receiver.ts'
import { openDeliverer } from '#transport/notification/open-deliverer.ts'
import { createTargetPolicy } from '#transport/notification/target-guard.ts'

test('a deliverer that loads its code late delivers, and stops', async t => {
  const target = await localReceiver(t, answering(204))
  const deliverer = openDeliverer({ policy: () => createTargetPolicy(LOCAL), version: '1.2.3' })
  const results = await Promise.all([1, 2].map(() => deliverer.deliver(notificationTo(target.url))))
  assert.deepEqual(
    results.map(({ status }) => status),
    [204, 204],
  )
  await deliverer.close()
  assert.equal((await deliverer.deliver(notificationTo(target.url))).error, 'STOPPED')
})

test('a deliverer that was closed before its first delivery sends nothing', async t => {
  const target = await localReceiver(t, answering(204))
  const deliverer = openDeliverer({ policy: () => createTargetPolicy(LOCAL), version: '1.2.3' })
  await deliverer.close()
  assert.equal((await deliverer.deliver(notificationTo(target.url))).error, 'STOPPED')
  assert.equal(target.requests.length, 0)
})
