import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InboxPage, ReceivedText } from '#domain/inbox/inbox-reader.ts'
import type { Message } from '#domain/message/message.ts'
import type { MessageSlice } from '#domain/message/message-reader.ts'
import { mergeTexts, type TextsPlace } from '#domain/texts/merge-texts.ts'

const START: TextsPlace = { sent: null, received: null }

/** Texts at these minutes; `back`: the list was read to this minute, and there is more. */
function said(minutes: readonly number[], back: number | null = null): MessageSlice {
  const messages = minutes.map(at => ({ createdAt: at }) as Message)
  return { messages, places: minutes.map(at => at * 1_000), next: back && back * 1_000, lookedBackTo: back }
}
function heard(minutes: readonly number[], back: number | null = null): InboxPage {
  const received = minutes.map(at => ({ id: `rcv_${at}`, receivedAt: at }) as ReceivedText)
  return { received, next: back === null ? null : `rcv_${back}`, lookedBackTo: back }
}
function merged(sent: MessageSlice, received: InboxPage, from = START) {
  const { texts, next } = mergeTexts({ sent, received }, { from, limit: 4 })
  return { at: texts.map(one => ('sent' in one ? one.sent.createdAt : -one.received.receivedAt)), next }
}

test('two lists become one, newest first, and the next page goes on in both', () => {
  assert.deepEqual(merged(said([9, 7, 5]), heard([8, 6])), {
    ...{ at: [9, -8, 7, -6], next: { sent: 7_000, received: 'end' } },
  })
  assert.deepEqual(merged(said([9]), heard([8])), { at: [9, -8], next: null })
  assert.deepEqual(merged(said([]), heard([])), { at: [], next: null })
})

test('what is older than one list was read waits, because texts may be between', () => {
  assert.deepEqual(merged(said([9], 7), heard([8, 6, 5])), {
    ...{ at: [9, -8], next: { sent: 7_000, received: 'rcv_8' } },
  })
  const from: TextsPlace = { sent: 9_000, received: 'rcv_9' }
  assert.deepEqual(merged(said([], 7), heard([6]), from), {
    ...{ at: [], next: { sent: 7_000, received: 'rcv_9' } },
  })
  assert.deepEqual(merged(said([3]), heard([], 5), from), {
    ...{ at: [], next: { sent: 9_000, received: 'rcv_5' } },
  })
})
