import assert from 'node:assert/strict'
import * as v from 'valibot'
import { TriggeredResource, WebhookResource } from '#contracts/webhook.ts'
import type { CallOptions, SharedGateway, TestAnswer } from '#test/kit/gateway.ts'

const Webhook = v.strictObject(WebhookResource.entries)
const Triggered = v.strictObject(TriggeredResource.entries)

/** API calls for the webhooks of one account. Answers are checked against the schemas. */
export class WebhookCalls {
  readonly #gateway: SharedGateway
  readonly #token: string

  constructor(gateway: SharedGateway, token: string) {
    this.#gateway = gateway
    this.#token = token
  }

  call(method: string, path = '', json?: unknown): Promise<TestAnswer> {
    const options = { token: this.#token, ...(json !== undefined && { json }) }
    return this.#gateway.call(method, `/api/v1/webhooks${path}`, options)
  }

  /** Creates a webhook; returns it with its secret path. */
  async create(json: object = {}): Promise<WebhookResource & { readonly url: string }> {
    const body = { name: 'alerts', recipients: ['+14155550123'], ...json }
    const webhook = webhookOf(await this.call('POST', '', body))
    assert.ok(webhook.url !== null)
    return { ...webhook, url: webhook.url }
  }

  async find(id: string): Promise<WebhookResource> {
    return webhookOf(await this.call('GET', `/${id}`))
  }

  async update(id: string, json: object): Promise<WebhookResource> {
    return webhookOf(await this.call('PATCH', `/${id}`, json))
  }

  async rotate(id: string): Promise<WebhookResource & { readonly url: string }> {
    const webhook = webhookOf(await this.call('POST', `/${id}/rotate`))
    assert.ok(webhook.url !== null)
    return { ...webhook, url: webhook.url }
  }

  /** POSTs an alert to a secret path. */
  trigger(path: string, json: unknown, options: CallOptions = {}): Promise<TestAnswer> {
    return this.#gateway.call('POST', path, { json, ...options })
  }
}

export function webhookOf(answer: TestAnswer): WebhookResource {
  assert.equal(answer.status, 200, answer.text)
  return v.parse(Webhook, answer.json?.data)
}

/** The answer to a trigger that sent a text. */
export function triggeredOf(answer: TestAnswer): TriggeredResource & { readonly message: string } {
  const { message, ...rest } = answerOf(answer)
  assert.ok(rest.triggered && message !== null, answer.text)
  return { ...rest, message }
}

/** The answer to a trigger, whether it sent a text or not. */
export function answerOf(answer: TestAnswer): TriggeredResource {
  assert.equal(answer.status, 200, answer.text)
  return v.parse(Triggered, answer.json?.data)
}
