/** Measures the time from a caller's POST until the phone gets the `offer` frame of that text. */
import { once } from 'node:events'
import { WebSocket } from 'ws'
import { startGateway } from '#bench/load/gateway.ts'
import { quantile } from '#bench/load/quantiles.ts'

const MESSAGES = 500

export async function benchOffer(): Promise<void> {
  const gateway = await startGateway({
    ROOST_PLANS__PRO__API_CALLS_PER_MINUTE: '60000',
    ROOST_DEVICES__SEGMENTS_PER_MINUTE: '6000',
    ROOST_DEVICES__SEGMENTS_BURST: '1000',
  })
  const key = await gateway.roost('key', 'create', '--account', 'owner@localhost')
  const pairing = await gateway.roost('device', 'pair', '--account', 'owner@localhost', '--json')
  const { code } = JSON.parse(pairing) as { code: string }
  const phone = await connectPhone(gateway.url, code)
  const waits: number[] = []
  for (let i = 0; i < MESSAGES; i++) {
    const offered = phone.nextOffer()
    const before = performance.now()
    const answer = await fetch(`${gateway.url}/api/v1/sms/send`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ phoneNumber: '+14155550123', message: `Message ${i}` }),
    })
    if (answer.status !== 200) throw new Error(`send was answered ${answer.status}`)
    waits.push((await offered) - before)
    await answer.arrayBuffer()
  }
  const at = (share: number) => quantile(waits, share).toFixed(2)
  process.stdout.write(`\nPOST to offer frame, ${MESSAGES} messages one after the other (fsync in between)\n`)
  process.stdout.write(`  p50 ${at(0.5)} ms  p99 ${at(0.99)} ms\n`)
  phone.close()
  await gateway.stop()
}

async function connectPhone(url: string, code: string) {
  const paired = await fetch(`${url}/device/v1/pair`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, name: 'bench', platform: 'bench', appVersion: '1' }),
  })
  const { data } = (await paired.json()) as { data: { token: string; socketUrl: string } }
  const socket = new WebSocket(data.socketUrl, 'roost.device.v1', {
    headers: { authorization: `Bearer ${data.token}` },
  })
  let offered: (at: number) => void = () => {}
  const send = (frame: unknown) => socket.send(JSON.stringify(frame))
  socket.on('message', bytes => {
    const frame = JSON.parse(String(bytes)) as { type: string; messageId: string; attempt: number }
    const { messageId, attempt } = frame
    if (frame.type === 'offer') {
      offered(performance.now())
      send({ type: 'begin', messageId, attempt })
    } else if (frame.type === 'go') send({ type: 'report', messageId, attempt, state: 'sent' })
  })
  socket.on('close', code => {
    throw new Error(`the gateway closed the phone's socket: ${code}`)
  })
  await once(socket, 'open')
  const synced = new Promise<void>(resolve => {
    socket.on('message', bytes => {
      if (String(bytes).includes('"synced"')) resolve()
    })
  })
  send({ type: 'hello', protocol: 1, bootId: 'bench', appVersion: '1', platform: 'bench', sims: [] })
  send({ type: 'sync', messages: [] })
  await synced
  return {
    nextOffer: () =>
      new Promise<number>(resolve => {
        offered = resolve
      }),
    close() {
      socket.removeAllListeners('close')
      socket.close()
    },
  }
}
