import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SMSGATE_INBOX_PAGE } from '#agent/drivers/smsgate/read-inbox.ts'
import { HANGS_AFTER_MS } from '#test/kit/patience.ts'
import { smsgateRig } from '#test/kit/smsgate-rig.ts'

const options = { timeout: HANGS_AFTER_MS }
const textAt = (id: string, minute: number) => ({
  id,
  sender: '+4917012345678',
  contentPreview: `text ${id}`,
  createdAt: new Date(Date.parse('2026-01-31T12:00:00.000Z') + minute * 60_000).toISOString(),
})

test('each new text is read once, and texts older than the agent are not read', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  phone.inbox.push(textAt('old', 0))
  assert.deepEqual(await driver.incoming(null), { messages: [], cursor: null })
  await driver.check()
  const first = await driver.incoming(null)
  assert.deepEqual(first.messages, [])
  phone.inbox.push(textAt('b', 2), textAt('a', 1), { ...textAt('mms', 2), type: 'MMS' })
  const second = await driver.incoming(first.cursor)
  assert.deepEqual(second.messages, [
    { id: 'a', from: '+4917012345678', message: 'text a', at: '2026-01-31T12:01:00.000Z', simSlot: 1 },
    { id: 'b', from: '+4917012345678', message: 'text b', at: '2026-01-31T12:02:00.000Z', simSlot: 1 },
  ])
  assert.deepEqual(await driver.incoming(second.cursor), { messages: [], cursor: second.cursor })
  // The app may enter a text late, with the time at which it came in.
  phone.inbox.push(textAt('late', -50))
  const third = await driver.incoming(second.cursor)
  assert.deepEqual(
    third.messages.map(({ id }) => id),
    ['late'],
  )
})

test('an inbox that is longer than a page is read to its end', options, async t => {
  const { phone, driver } = await smsgateRig(t)
  await driver.check()
  const { cursor } = await driver.incoming(null)
  const count = 2 * SMSGATE_INBOX_PAGE + 1
  for (let index = 0; index < count; index++) phone.inbox.push(textAt(`t${index}`, index / 100))
  const { messages } = await driver.incoming(cursor)
  assert.equal(new Set(messages.map(({ id }) => id)).size, count)
})

test(
  'an app version without an inbox reports that it receives nothing, and still sends',
  options,
  async t => {
    const { phone, driver } = await smsgateRig(t, { version: '1.52.5' })
    assert.equal(await driver.check(), null)
    assert.match(
      driver.receiveTrouble() ?? '',
      /^received texts do not reach Roost: update SMSGate from 1\.52\.5 to 1\.59\.0 or newer$/,
    )
    assert.deepEqual(await driver.incoming(null), { messages: [], cursor: null })
    assert.ok(!phone.requests.includes('GET /inbox'))
  },
)
