import type { BenchGateway } from '#bench/load/gateway.ts'
import type { BenchAccount } from '#bench/load/send.ts'

/**
 * Opens the live socket of the console for each account, and reads what comes. They are closed with the
 * gateway.
 *
 * @throws Error when the gateway refuses a log-in or a socket
 */
export async function openConsoles(gateway: BenchGateway, accounts: readonly BenchAccount[]): Promise<void> {
  for (const { email, password } of accounts) {
    const response = await fetch(`${gateway.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    if (!response.ok) throw new Error(`no log-in for ${email}: ${await response.text()}`)
    const { data } = (await response.json()) as { data: { token: string } }
    const socket = new WebSocket(`${gateway.url.replace('http', 'ws')}/api/v1/live`, {
      protocols: ['roost.live.v1'],
      headers: { Authorization: `Bearer ${data.token}` },
    } as never)
    await new Promise((resolve, reject) => {
      socket.onopen = resolve
      socket.onerror = () => reject(new Error(`no live socket for ${email}`))
    })
    // The gateway's end resets the socket.
    socket.onerror = null
  }
}
