/** The owner of a gateway, and phones that run SMSGate in its cloud mode. */
import assert from 'node:assert/strict'
import { CloudApp } from '#test/kit/cloud-app.ts'
import type { TestAccount, TestGateway } from '#test/kit/gateway.ts'

export interface CloudRig {
  codeFor(account: TestAccount): Promise<string>
  /** Registers a new phone with a code. */
  register(given: {
    readonly account: TestAccount
    readonly base?: string
    readonly version?: string
  }): Promise<CloudApp>
  /** Accepts a text; returns its id. */
  send(account: TestAccount, json?: object): Promise<string>
  find(account: TestAccount, messageId: string): Promise<Record<string, unknown> | undefined>
  deviceOf(account: TestAccount, app: CloudApp): Promise<Record<string, unknown> | undefined>
}

export function cloudRig(gateway: () => TestGateway): CloudRig {
  const codeFor = async ({ accountId }: TestAccount) =>
    (await gateway().ask('device.create-pairing', { accountId, name: 'Front desk' })).code
  return {
    codeFor,
    async register({ account, base = '/smsgate/v1', version = '1.68.0' }) {
      const app = new CloudApp(gateway().url + base, { version })
      const { status } = await app.register(`Code ${await codeFor(account)}`)
      assert.equal(status, 201)
      return app
    },
    async send({ liveKey: key }, json = {}) {
      const text = {
        phoneNumber: '+15550100123',
        message: 'Your code is 1234',
        queueIfOffline: true,
        ...json,
      }
      const answer = await gateway().call('POST', '/api/v1/sms/send', { key, json: text })
      assert.equal(answer.status, 200, answer.text)
      return String(answer.json?.data['messageId'])
    },
    find: async ({ liveKey: key }, id) =>
      (await gateway().call('GET', `/api/v1/sms/${id}`, { key })).json?.data,
    deviceOf: async ({ liveKey: key }, app) =>
      (await gateway().call('GET', `/api/v1/devices/${app.deviceId}`, { key })).json?.data,
  }
}
