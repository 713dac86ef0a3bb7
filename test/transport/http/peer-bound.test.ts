import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CONNECTIONS_PER_ADDRESS_MAX as MAX } from '#contracts/bounds.ts'
import { parseAddress } from '#domain/network/address.ts'
import { addPeers, isOwnPeer, peerKey } from '#transport/http/count-peers.ts'
import { PEERS_COUNTED_EVERY_MS, PeerBound } from '#transport/http/peer-bound.ts'

/** A fake kernel list of connections that open and close. */
function crowd() {
  const open = new Map<string, number>()
  let monoMs = 5000
  let counts = 0
  const bound = new PeerBound({
    count: () => {
      counts += 1
      return new Map(open)
    },
    monoMs: () => monoMs,
  })
  const change = (key: string, by: number) => open.set(key, (open.get(key) ?? 0) + by)
  const close = (key: string) => {
    change(key, -1)
    bound.closed()
  }
  return {
    open,
    close,
    counts: () => counts,
    advance(ms: number) {
      monoMs += ms
    },
    /** Whether one more connection stayed. */
    connect(key: string) {
      change(key, 1)
      const stays = bound.admits(key)
      if (!stays) change(key, -1)
      return stays
    },
  }
}

test('an address has a bounded number of connections, without affecting others', () => {
  const { connect, open } = crowd()
  for (let i = 0; i < 1000; i++) {
    connect('greedy')
    connect('greedy, too')
    if (i % 10 === 0) assert.ok(connect('modest'))
  }
  assert.equal(open.get('greedy'), MAX)
  assert.equal(open.get('greedy, too'), MAX)
  assert.equal(open.get('modest'), 100)
})

test('an address with too many connections may open more after some are closed', () => {
  const { connect, close, advance } = crowd()
  for (let i = 0; i < 2 * MAX; i++) connect('greedy')
  close('greedy')
  advance(PEERS_COUNTED_EVERY_MS)
  assert.ok(connect('greedy'))
  assert.ok(!connect('greedy'))
})

test('a thousand connections that open and close at once are allowed, and counted once', () => {
  const { connect, close, counts } = crowd()
  for (let i = 0; i < MAX; i++) connect('greedy')
  for (let i = 0; i < 1000; i++) {
    assert.ok(connect('quick'))
    close('quick')
  }
  assert.equal(counts(), 1)
})

test('connections closed by other threads are noticed at the next count', () => {
  const { connect, close, advance, open } = crowd()
  for (let round = 0; round < 10; round++) {
    for (let i = 0; i < 50; i++) {
      connect('quick')
      close('quick')
      for (let j = 0; j < 10; j++) connect('greedy')
    }
    advance(PEERS_COUNTED_EVERY_MS)
  }
  assert.ok((open.get('greedy') ?? 0) <= MAX + 50)
})

test('all connections are counted at most once a second, and only once for addresses with few', () => {
  const { connect, advance, counts } = crowd()
  for (let i = 0; i < 500; i++) connect(`modest ${i}`)
  advance(PEERS_COUNTED_EVERY_MS)
  for (let i = 0; i < 500; i++) connect(`modest ${i}`)
  assert.equal(counts(), 1)
  for (let i = 0; i < 5000; i++) connect('greedy')
  assert.equal(counts(), 2)
  advance(PEERS_COUNTED_EVERY_MS)
  for (let i = 0; i < 5000; i++) connect('greedy')
  assert.equal(counts(), 3)
})

test('if the system lists no connections, none is refused', () => {
  const bound = new PeerBound({ count: () => null, monoMs: () => 0 })
  for (let i = 0; i < 3 * MAX; i++) assert.ok(bound.admits('anybody'))
})

test("the kernel's lists are filtered by port and state, with IPv6 grouped by /64", () => {
  const counts = new Map<string, number>()
  const row = (local: string, remote: string, state: string) =>
    `   1: ${local} ${remote} ${state} 00000000:00000000 00:00000000 00000000     0        0 1 1\n`
  const any6 = '00000000000000000000000000000000:1F90'
  const table =
    row('00000000:1F90', '00000000:0000', '0A') +
    row('0100007F:1F90', '0200007F:C001', '01') +
    row('0100007F:1F90', '0200007F:C002', '08') +
    row('0100007F:1F90', '0200007F:C003', '06') +
    row('0100007F:1F91', '0200007F:C004', '01') +
    row('0100007F:20FB', '0300007F:C004', '01') +
    row(any6, 'B80D0120000000000000000001000000:C005', '01') +
    row(any6, 'B80D0120000000000000000002000000:C006', '01') +
    row(any6, '0000000000000000FFFF00000200007F:C007', '01')
  addPeers(counts, table, [8080, 8443])
  const keyOf = (text: string) => peerKey(Uint8Array.from(parseAddress(text)?.bytes ?? []).buffer)
  assert.deepEqual(
    [...counts],
    [
      [keyOf('127.0.0.2'), 3],
      [keyOf('127.0.0.3'), 1],
      [keyOf('2001:db8::99'), 2],
    ],
  )
  assert.ok(isOwnPeer(keyOf('127.0.0.1')) && isOwnPeer(keyOf('::1')) && !isOwnPeer(keyOf('127.0.0.2')))
  assert.equal(peerKey(new ArrayBuffer(0)), '')
})
