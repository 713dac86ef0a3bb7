/** Two accounts of the shared gateway, and calls about how the alerts of their webhooks were read. */
import assert from 'node:assert/strict'
import * as v from 'valibot'
import { type AlertField, ReadingResource } from '#contracts/alert-reading.ts'
import { PreviewResource } from '#contracts/preview.ts'
import { SeenTriggerDetail, WebhookTriggers } from '#contracts/seen-trigger.ts'
import type { TestAnswer } from '#test/kit/gateway.ts'
import { PairedPhone } from '#test/kit/paired-phone.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'
import { WebhookCalls } from '#test/kit/webhook-calls.ts'

/** An alert of a sender that no file knows, with words of another language. */
export const UNKNOWN_ALERT = {
  geraet: 'Pumpe 3',
  lage: 'kaputt',
  grund: 'kein Druck',
  ort: 'Keller',
  liste: [{ x: 1 }],
}
export const ROLES = { thing: 'geraet', state: 'lage', reason: 'grund' }

export type ReadingRig = Awaited<ReturnType<typeof startReadingRig>>

/** The calls of the owner fail unless they are answered with 200 and the documented fields. */
export async function startReadingRig() {
  const gateway = await sharedGateway()
  const owner = await gateway.newAccount()
  const webhooks = new WebhookCalls(gateway, owner.token)
  const others = new WebhookCalls(gateway, (await gateway.newAccount()).token)
  await PairedPhone.pair(gateway, owner.accountId)
  const triggersOf = async (id: string) => {
    const answer = await webhooks.call('GET', `/${id}/triggers`)
    return parse(v.strictObject(WebhookTriggers.entries), answer).triggers
  }
  return {
    gateway,
    owner,
    webhooks,
    others,
    triggersOf,
    async lastOf(id: string) {
      const [last] = await triggersOf(id)
      assert.ok(last !== undefined)
      return last
    },
    async detailOf(id: string, seq: number) {
      const answer = await webhooks.call('GET', `/${id}/triggers/${seq}`)
      return parse(v.strictObject(SeenTriggerDetail.entries), answer)
    },
    async previewOf(json: object) {
      return parse(v.strictObject(PreviewResource.entries), await webhooks.call('POST', '/preview', json))
    },
    async readingsOf(id: string) {
      const answer = await webhooks.call('GET', `/${id}/readings`)
      return parse(v.array(v.strictObject(ReadingResource.entries)), answer)
    },
    settle: (id: string, shape: string, roles: object) =>
      webhooks.call('PUT', `/${id}/readings/${shape}`, roles),
  }
}

export function parse<T extends v.GenericSchema>(
  schema: T,
  { status, json, text }: TestAnswer,
): v.InferOutput<T> {
  assert.equal(status, 200, text)
  return v.parse(schema, json?.data)
}

/** The path of each role. */
export function rolesOf(fields: readonly AlertField[]): Record<string, string> {
  return Object.fromEntries(fields.flatMap(({ path, role }) => (role === null ? [] : [[role, path]])))
}

/** The issues of a refusal, each as path and message. */
export function issuesOf({ status, json, text }: TestAnswer): readonly string[] {
  assert.equal(status, 400, text)
  return (json?.error.details?.issues ?? []).map(({ path, message }) => `${path} ${message}`)
}

export async function statusOf(answer: Promise<TestAnswer>): Promise<number> {
  return (await answer).status
}
