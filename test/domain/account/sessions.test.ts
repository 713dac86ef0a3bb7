import assert from 'node:assert/strict'
import { timingSafeEqual } from 'node:crypto'
import { test } from 'node:test'
import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { SESSION_IDLE_MS, SESSION_LIFE_MS } from '#contracts/bounds.ts'
import { nameBrowser } from '#domain/account/name-browser.ts'
import { SessionCache } from '#domain/account/session-cache.ts'
import { firstUserId } from '#domain/account/user.ts'
import { DAY_MS } from '#domain/time.ts'
import { openSessionReader } from '#storage/session-store.ts'
import { hash } from '#storage/source.ts'
import { TestWorld } from '#test/kit/world.ts'

function opened() {
  const world = new TestWorld()
  const owner = world.ask('gateway.first-start', {})
  assert.ok(owner)
  const userId = firstUserId(owner.accountId)
  const reader = openSessionReader(world.database)
  let generation = 0
  const remembered = new SessionCache({
    reader,
    generation: () => generation,
    hash,
    isSame: timingSafeEqual,
    wallMs: () => world.wallMs,
    recordUse: id => {
      world.ask('session.touch', { id })
      generation += 1
    },
  })
  const open = (tokenVersion = 0) =>
    world.ask('session.open', { userId, tokenVersion, address: '192.0.2.1', browser: 'Firefox' })
  const pass = (ms: number) => {
    world.wallMs += ms
  }
  return { world, userId, reader, remembered, open, pass }
}

test('a session that is not used ends after 30 days', () => {
  const { remembered, open, pass } = opened()
  const session = open()
  pass(SESSION_IDLE_MS - 1)
  assert.ok(remembered.find(session))
  const idle = open()
  pass(SESSION_IDLE_MS)
  assert.equal(remembered.find(idle), undefined)
})

test('a session that is used every day ends after 90 days', () => {
  const { remembered, open, pass } = opened()
  const session = open()
  for (let day = 0; day < SESSION_LIFE_MS / DAY_MS - 1; day++) {
    pass(DAY_MS)
    assert.ok(remembered.find(session), `day ${day}`)
  }
  pass(DAY_MS)
  assert.equal(remembered.find(session), undefined)
})

test('the use of a session is written once a day', () => {
  const { world, remembered, open, pass } = opened()
  const session = open()
  const changes = () => Number(world.database.prepare('SELECT total_changes() AS n').get()?.['n'])
  const before = changes()
  for (let i = 0; i < 100; i++) remembered.find(session)
  assert.equal(changes(), before)
  pass(DAY_MS)
  remembered.find(session)
  const after = changes()
  assert.ok(after > before)
  for (let i = 0; i < 100; i++) remembered.find(session)
  assert.equal(changes(), after)
})

test("above the maximum, a user's least recently used sessions end", () => {
  const { userId, reader, remembered, open, pass } = opened()
  const first = open()
  for (let i = 0; i < ACCOUNT_BOUNDS.sessionsOfUser.most; i++) {
    pass(1)
    open()
  }
  assert.equal(reader.sessionsOf(userId).length, ACCOUNT_BOUNDS.sessionsOfUser.most)
  assert.equal(remembered.find(first), undefined)
})

test('no session is opened if the password changed after it was compared', () => {
  const { world, open } = opened()
  world.ask('account.set-password', { email: 'owner@localhost', passwordHash: 'x' })
  assert.throws(() => open(0), { code: 'UNAUTHORIZED' })
  assert.ok(open(1))
})

test('a password set on the command line ends every session', () => {
  const { world, userId, reader, open } = opened()
  open()
  world.ask('account.set-password', { email: 'owner@localhost', passwordHash: 'x' })
  assert.deepEqual(reader.sessionsOf(userId), [])
})

test('browsers are named as people know them', () => {
  const chrome = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/130.0 Mobile Safari/537.36'
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605 Version/18 Safari/604.1'
  const edge = 'Mozilla/5.0 (Windows NT 10.0) AppleWebKit/537.36 Chrome/130.0 Safari/537.36 Edg/130.0'
  assert.equal(nameBrowser(chrome), 'Chrome on Android')
  assert.equal(nameBrowser(safari), 'Safari on iPhone')
  assert.equal(nameBrowser(edge), 'Edge on Windows')
  const headless = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/130.0 Safari/537.36'
  assert.equal(nameBrowser(headless), 'Chrome on Linux')
  assert.equal(nameBrowser('curl/8.5'), 'unknown')
})
