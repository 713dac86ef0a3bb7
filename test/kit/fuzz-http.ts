/** Mutated requests against a running gateway. */
import type { HostileGateway } from '#test/kit/hostile-gateway.ts'
import { mutate } from '#test/kit/mutate.ts'
import { Random } from '#test/kit/random.ts'
import { rawRequest } from '#test/kit/raw-http.ts'

export interface FuzzRun {
  readonly seed: number
  readonly count: number
  /** Connections at the same time. */
  readonly connections: number
  readonly progress?: (done: number) => void
}

/** How long to wait for an answer. The gateway waits longer for the rest of an incomplete request. */
const HALF_REQUEST_MS = 25

/** The number of answers by status. Status 0: the connection ended, or the request was incomplete. */
export async function fuzzHttp(target: HostileGateway, run: FuzzRun): Promise<ReadonlyMap<number, number>> {
  const countByStatus = new Map<number, number>()
  const random = new Random(run.seed)
  const templates = templatesOf(target)
  let started = 0
  let done = 0
  const work = async () => {
    while (started < run.count) {
      started++
      const template = templates[random.below(templates.length)] ?? Buffer.alloc(0)
      const status = await statusOf(target, mutate(template, random))
      countByStatus.set(status, (countByStatus.get(status) ?? 0) + 1)
      run.progress?.(++done)
    }
  }
  await Promise.all(Array.from({ length: run.connections }, work))
  return countByStatus
}

/** Sends the bytes on a connection of their own; returns the status of the answer. */
async function statusOf(target: HostileGateway, bytes: Buffer): Promise<number> {
  const connection = await target.open()
  connection.write(bytes)
  AbortSignal.timeout(HALF_REQUEST_MS).addEventListener('abort', () => connection.close())
  const answer = await connection.next()
  connection.close()
  return answer?.status ?? 0
}

function templatesOf({ owner }: HostileGateway): readonly Buffer[] {
  const key = ['X-API-Key', owner.testKey] as const
  const bearer = ['Authorization', `Bearer ${owner.token}`] as const
  const json = ['Content-Type', 'application/json'] as const
  const send = JSON.stringify({ phoneNumber: '+15005550006', message: 'hello', ttl: 60, priority: 'high' })
  const chunked = `${send.length.toString(16)}\r\n${send}\r\n0\r\n\r\n`
  const path = '/api/v1/sms/send'
  return [
    rawRequest({ method: 'POST', path, headers: [key, json, ['Idempotency-Key', 'k']], body: send }),
    rawRequest({ method: 'POST', path, headers: [key, ['Transfer-Encoding', 'chunked']], body: chunked }),
    rawRequest({ path: '/api/v1/sms?status=sent&limit=5&phoneNumber=%2B15005550006', headers: [key] }),
    rawRequest({ path: '/api/v1/sms/msg_01M7YNH9877GX8FBZ8AMT8W3XR', headers: [bearer] }),
    rawRequest({
      method: 'PATCH',
      path: '/api/v1/devices/dev_1',
      headers: [bearer],
      body: '{"paused":true}',
    }),
    rawRequest({ method: 'POST', path: '/device/v1/pair', body: '{"code":"12345678","name":"a"}' }),
    rawRequest({ path: '/device/v1/pair?code=12345678', headers: [['X-Forwarded-For', '10.0.0.1, ::1']] }),
  ]
}
