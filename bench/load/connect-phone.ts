import { once } from 'node:events'
import { WebSocket } from 'ws'
import type { BenchGateway } from '#bench/load/gateway.ts'

/** Pairs a phone with the owner's account, and connects it. It sends what it is offered at once. */
export async function connectPhone({ url, roost }: BenchGateway, email = 'owner@localhost') {
  const pairing = await roost('device', 'pair', '--account', email, '--json')
  const { code } = JSON.parse(pairing) as { code: string }
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
