import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Message } from '#domain/message/message.ts'
import type { MessageStore } from '#domain/message/message-store.ts'
import type { Tx } from '#domain/tx.ts'
import { StatusCounts } from '#storage/status-counts.ts'

const tx = {} as Tx
const inStatus = (status: Message['status']) => ({ status }) as Message

function open() {
  const written: string[] = []
  const counts = new StatusCounts()
  const store = counts.countWrites({
    insert: (_tx, { status }) => void written.push(`insert ${status}`),
    save: (_tx, { status }) => void written.push(`save ${status}`),
  } as MessageStore)
  return { counts, store, written, read: () => Object.fromEntries(counts.entries()) }
}

test('a status counts once its transaction is committed', () => {
  const { counts, store, written, read } = open()
  store.insert(tx, inStatus('queued'))
  store.save(tx, inStatus('sending'))
  assert.deepEqual(written, ['insert queued', 'save sending'])
  assert.deepEqual(read(), { queued: 0, sending: 0, sent: 0, delivered: 0, failed: 0 })
  counts.commit()
  assert.deepEqual(read(), { queued: 1, sending: 1, sent: 0, delivered: 0, failed: 0 })
})

test('a status that was rolled back never counts', () => {
  const { counts, store, read } = open()
  store.insert(tx, inStatus('queued'))
  counts.discard()
  counts.commit()
  assert.equal(read()['queued'], 0)
})
