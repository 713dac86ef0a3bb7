/** The connection to a broker that does not behave, played byte by byte. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { type BrokerMessage, connectBroker, PacketLengths } from '#transport/mqtt/connect-broker.ts'

const MIB = 1_048_576
/** The place of the protocol's version in a CONNECT packet with a length of one or two bytes. */
const versionOf = (connect: Buffer) => connect[connect.indexOf('MQTT') + 4]

/** A packet that publishes `text` at quality 0 on the topic `t`. */
function publish(text: string): Buffer {
  const body = Buffer.concat([Buffer.from([0, 1]), Buffer.from('t'), Buffer.from([0]), Buffer.from(text)])
  const length: number[] = []
  for (let left = body.length; left > 0 || length.length === 0; left = Math.floor(left / 128))
    length.push((left % 128) + (left >= 128 ? 128 : 0))
  return Buffer.concat([Buffer.from([0x30, ...length]), body])
}

/** `taken`: does what the broker does once the topics are subscribed. */
async function start(t: TestContext, taken: (socket: Socket) => void, versions: readonly number[] = [4, 5]) {
  const seen: (number | undefined)[] = []
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket.on('error', () => undefined))
    socket.on('data', packet => {
      if (packet[0] === 0x10) {
        const version = versionOf(packet)
        seen.push(version)
        if (!versions.includes(version ?? 0)) return void socket.end(Buffer.from([0x20, 2, 0, 1]))
        socket.write(Buffer.from(version === 5 ? [0x20, 3, 0, 0, 0] : [0x20, 2, 0, 0]))
      }
      if (packet[0] === 0x82) {
        const isFive = seen.at(-1) === 5
        const [high = 0, low = 0] = packet.subarray(2)
        socket.write(Buffer.from(isFive ? [0x90, 4, high, low, 0, 2] : [0x90, 3, high, low, 2]))
        taken(socket)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const news = Promise.withResolvers<void>()
  const lost: string[] = []
  const heard: BrokerMessage[] = []
  const broker = connectBroker({
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    username: '',
    password: '',
    availabilityTopic: 'a',
    subscribe: ['t'],
    reconnectMs: 10,
    connected: () => news.resolve(),
    lost: cause => lost.push(cause),
    received: async message => void heard.push(message),
  })
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    await broker.close()
    server.close()
  })
  await news.promise
  return { seen, lost, heard, sockets }
}

test('a packet above 16 KiB ends the connection before it is read', { timeout: 60_000 }, async t => {
  const written = Promise.withResolvers<number>()
  const { heard, lost } = await start(t, socket => {
    // A packet of 200 MB, which ends nowhere.
    socket.write(Buffer.from([0x30, 0x80, 0x84, 0xaf, 0x5f]))
    const chunk = Buffer.alloc(MIB)
    let bytes = 0
    const more = () => {
      bytes += MIB
      socket.write(chunk, fault => (fault ? written.resolve(bytes) : more()))
    }
    more()
  })
  const bytes = await written.promise
  assert.ok(bytes < 20 * MIB, `the connection ends after ${bytes} bytes`)
  assert.deepEqual(heard, [])
  assert.match(lost[0] ?? '', /a packet of the broker is longer than 16384 bytes/)
})

test('a packet of 16 KiB is heard', { timeout: 60_000 }, async t => {
  const text = 'x'.repeat(16_384 - 8)
  const { heard, sockets } = await start(t, socket => socket.write(publish(text)))
  while (heard.length === 0) await once(sockets[0] as Socket, 'data')
  assert.equal(Buffer.from(heard[0]?.payload ?? []).toString(), text)
})

test('a broker that speaks only version 4 is spoken to in it', { timeout: 60_000 }, async t => {
  const { seen } = await start(t, () => undefined, [4])
  assert.deepEqual(seen.slice(0, 2), [5, 4])
})

test('the lengths of packets are known however they are cut', () => {
  const packets = Buffer.concat([publish(''), publish('x'.repeat(200)), publish('x'.repeat(16_000))])
  for (const size of [1, 2, 3, 7, 16_384, packets.length]) {
    const lengths = new PacketLengths(16_384)
    for (let at = 0; at < packets.length; at += size)
      assert.equal(lengths.follow(packets.subarray(at, at + size)), true)
    assert.equal(lengths.follow(publish('x'.repeat(16_384))), false)
  }
  const endless = new PacketLengths(16_384)
  assert.equal(endless.follow(Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80, 0x80])), false)
})
