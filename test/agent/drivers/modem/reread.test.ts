import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BusError } from '#agent/drivers/modem/bus.ts'
import { Inbox, type InboxPorts } from '#agent/drivers/modem/inbox.ts'
import { memoryRecord } from '#agent/drivers/modem/modem-record.ts'
import { HandClock } from '#test/kit/hand-clock.ts'

const SIX_HOURS_MS = 21_600_000

/** An inbox without texts. `answers`: what happens when its modem is switched off and on. */
function emptyInbox(answers: readonly (boolean | BusError)[]) {
  const clock = new HandClock()
  const seen = { switched: 0 }
  const switchOffAndOn = async () => {
    const answer = answers[seen.switched++] ?? true
    if (answer instanceof BusError) throw answer
    return answer
  }
  const link = {
    clock,
    record: memoryRecord(),
    added: new Set(),
    log: () => undefined,
    examine: async () => ({ kind: 'modem', modem: { messages: [] } }),
    bus: async () => ({ ownerOf: async () => ':1.1' }),
    switchOffAndOn,
  }
  const sender = { isSending: false, forgetDone: async () => undefined }
  const inbox = new Inbox({ link, sender, reports: {} } as unknown as InboxPorts)
  return { clock, inbox, seen }
}

test('a modem that cannot be switched on again is switched off once in six hours', async () => {
  const { clock, inbox, seen } = emptyInbox([new BusError('Failed', 'it does not come back')])
  clock.advance(SIX_HOURS_MS)
  for (let read = 0; read < 5; read++) await inbox.read(null)
  assert.equal(seen.switched, 1)
  clock.advance(SIX_HOURS_MS)
  for (let read = 0; read < 5; read++) await inbox.read(null)
  assert.equal(seen.switched, 2)
})

test('a modem that is in use is read again as soon as it is free', async () => {
  const { clock, inbox, seen } = emptyInbox([false, false, true])
  clock.advance(SIX_HOURS_MS)
  for (let read = 0; read < 5; read++) await inbox.read(null)
  assert.equal(seen.switched, 3)
})
