/** A whole gateway that may send notifications to this machine, and receivers that tests can await. */
import type { TestContext } from 'node:test'
import { PLANS_BUILT_IN } from '#contracts/config.ts'
import { startGateway, type TestAccount, type TestGateway } from '#test/kit/gateway.ts'
import { type Behaviour, type ReceivedRequest, startReceiver } from '#test/kit/rogue-receiver.ts'
import type { KeyAndCertificate } from '#test/kit/self-signed.ts'

export interface NotifiedGateway {
  readonly gateway: TestGateway
  readonly owner: TestAccount
  /** Registers the URL for every event; returns the secret. */
  register(url: string): Promise<string>
  /** Sends a sandbox message, with a URL of its own if given; returns its id. */
  send(change?: { readonly webhookUrl?: string; readonly phoneNumber?: string }): Promise<string>
  api(method: string, path: string, json?: unknown): ReturnType<TestGateway['call']>
}

/** The plans, with no limit on the API calls of `pro`, the plan of the owner. */
export const PLANS_WITHOUT_CALL_LIMIT = {
  ...PLANS_BUILT_IN,
  pro: { ...PLANS_BUILT_IN.pro, api_calls_per_minute: -1 },
}

export async function notifiedGateway(t: TestContext): Promise<NotifiedGateway> {
  const gateway = await startGateway({
    config: { plans: PLANS_WITHOUT_CALL_LIMIT, notifications: { allowed_hosts: ['127.0.0.1'] } },
  })
  t.after(() => gateway.stop())
  const owner = await gateway.owner()
  const api: NotifiedGateway['api'] = (method, path, json) =>
    gateway.call(method, `/api/v1/notifications${path}`, {
      token: owner.token,
      ...(json !== undefined && { json }),
    })
  return {
    gateway,
    owner,
    api,
    async register(url) {
      const answer = await api('PUT', '', { url })
      return String(answer.json?.data['secret'])
    },
    async send(change = {}) {
      const json = { phoneNumber: '+14155550123', message: 'hello', ...change }
      const answer = await gateway.call('POST', '/api/v1/sms/send', { key: owner.testKey, json })
      if (answer.status !== 200) throw new Error(answer.text)
      return String(answer.json?.data['messageId'])
    },
  }
}

export interface AwaitedReceiver {
  readonly url: string
  readonly requests: readonly ReceivedRequest[]
  /** Resolves once this many requests have arrived. */
  received(count: number): Promise<readonly ReceivedRequest[]>
}

/** A receiver that ends with the test. */
export async function awaitedReceiver(
  t: TestContext,
  behave: Behaviour,
  tls?: KeyAndCertificate,
): Promise<AwaitedReceiver> {
  const waiting: { readonly count: number; readonly resolve: () => void }[] = []
  const receiver = await startReceiver((request, response) => {
    behave(request, response)
    for (const { count, resolve } of waiting) if (receiver.requests.length >= count) resolve()
  }, tls)
  t.after(() => receiver.close())
  return {
    url: receiver.url,
    requests: receiver.requests,
    received(count) {
      return new Promise(resolve => {
        const done = () => resolve(receiver.requests)
        if (receiver.requests.length >= count) done()
        else waiting.push({ count, resolve: done })
      })
    },
  }
}
