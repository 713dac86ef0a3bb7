import { once } from 'node:events'
import WebSocket from 'ws'
import type { BenchGateway } from '#bench/load/gateway.ts'
import type { BenchAccount } from '#bench/load/send.ts'

/**
 * Logs in once for each account. Returns a function that opens the console's live socket of each account and
 * reads the news. That function returns another one, which closes the sockets.
 *
 * @throws Error when the gateway refuses a login or a socket
 */
export async function prepareConsoles(gateway: BenchGateway, accounts: readonly BenchAccount[]) {
  const tokens: string[] = []
  for (const { email, password } of accounts) {
    const response = await fetch(`${gateway.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    if (!response.ok) throw new Error(`no login for ${email}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: { token: string } }
    tokens.push(data.token)
  }
  return async () => {
    const sockets = await Promise.all(tokens.map(token => openLive(gateway.url, token)))
    return async () => {
      for (const socket of sockets) socket.close()
      await Promise.all(sockets.map(socket => once(socket, 'close')))
    }
  }
}

async function openLive(url: string, token: string): Promise<WebSocket> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/api/v1/live`, 'roost.live.v1', {
    headers: { Authorization: `Bearer ${token}` },
  })
  socket.on('message', () => {})
  await once(socket, 'open')
  return socket
}
