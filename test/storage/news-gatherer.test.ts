import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LIVE_FRAME_EVERY_MS, LIVE_NEWS_PER_FRAME_MAX } from '#contracts/bounds.ts'
import { acceptedIn, messageToAccept } from '#test/kit/messages.ts'
import { TestWorld } from '#test/kit/world.ts'

/** A gateway with a page that shows the owner's account. */
function withPage() {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const { accountId } = owner
  world.ask('live.join', { accountId, listener: 1, socket: 1 })
  /** Accepts a text. Returns its id, and the subjects of the news since the last call. */
  const send = () => {
    const sandbox = messageToAccept(accountId, { test: true })
    const { messageId } = acceptedIn(world.ask('message.accept', sandbox))
    const news = world.effects.splice(0).flatMap(effect => (effect.kind === 'news' ? [effect.news] : []))
    return { messageId, news: news.map(({ type, id }) => id ?? type) }
  }
  return { world, accountId, send }
}

test('after the news of a frame, each transaction sends one resync until the next frame is due', () => {
  const { world, send } = withPage()
  for (let sent = 0; sent < LIVE_NEWS_PER_FRAME_MAX; sent++) {
    const { messageId, news } = send()
    assert.deepEqual(news, [messageId])
  }
  assert.deepEqual(send().news, ['resync'])
  assert.deepEqual(send().news, ['resync'])
  world.monoMs += LIVE_FRAME_EVERY_MS
  const { messageId, news } = send()
  assert.deepEqual(news, [messageId])
})

test('one account at its limit leaves the news of others as they are', () => {
  const { world, send } = withPage()
  for (let sent = 0; sent <= LIVE_NEWS_PER_FRAME_MAX; sent++) send()
  const { accountId } = world.ask('account.create', {
    email: 'other@example.org',
    plan: 'pro',
    passwordHash: 'x',
  })
  world.ask('live.join', { accountId, listener: 1, socket: 2 })
  const { messageId } = acceptedIn(world.ask('message.accept', messageToAccept(accountId, { test: true })))
  const news = world.effects.flatMap(effect => (effect.kind === 'news' ? [effect] : []))
  assert.deepEqual(
    news.map(one => [one.accountId, one.news.id]),
    [[accountId, messageId]],
  )
})
