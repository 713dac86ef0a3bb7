import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HELLO } from '#test/kit/hello.ts'
import { openWorld, type TestPhone } from '#test/kit/test-phone.ts'

/** A phone, and what the list of devices says about it: whether it calls, and whether it receives. */
function listedPhone() {
  const { world, accountId, phones } = openWorld(1)
  const [phone] = phones as [TestPhone]
  let socket = 0
  const hello = (about: object) => {
    const connection = { listener: 1, socket: ++socket }
    phone.sendFrame({ ...HELLO, ...about }, connection)
    return connection
  }
  const listed = () => {
    const [found] = world.ask('device.list', { accountId })
    return [found?.calls, found?.receives]
  }
  return { world, phone, hello, listed }
}

test('a phone says in hello whether it calls and receives, and what it leaves out stays', () => {
  const { world, hello, listed } = listedPhone()
  hello({})
  assert.deepEqual(listed(), [false, false])
  hello({ calls: true, receives: true })
  assert.deepEqual(listed(), [true, true])
  hello({})
  world.restart()
  assert.deepEqual(listed(), [true, true])
  hello({ calls: false, receives: false })
  world.restart()
  assert.deepEqual(listed(), [false, false])
})

test('the first received text shows that a phone receives', () => {
  const { world, phone, hello, listed } = listedPhone()
  const connection = hello({})
  const text = { id: '7', from: '+14155550123', message: 'hi', at: null, simSlot: null }
  phone.sendFrame({ type: 'received', ...text }, connection)
  assert.deepEqual(listed(), [false, true])
  world.restart()
  assert.deepEqual(listed(), [false, true])
})

test('a phone that cannot report received texts does not receive', () => {
  const { hello, listed } = listedPhone()
  hello({ receives: true, receiveTrouble: 'the app is too old' })
  assert.deepEqual(listed(), [false, false])
  hello({ receives: true })
  assert.deepEqual(listed(), [false, true])
})
