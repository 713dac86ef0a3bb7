/** Each route that changes something asks its command in the name of the caller: the audit list has it. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noteExport } from '#app/threads/listener-routes.ts'
import { UNTOLD } from '#domain/audit/note-deed.ts'
import { declaredRoutes } from '#test/kit/routes.ts'

const BY = 'usr_01KG9V0E7M4T0JH0Q4W2Z9R3XB'

const TOKEN = { jti: 'j', expiresAt: 1 }

/** They ask no command here: their example needs things that the account of this test does not have. */
const UNREACHED: Readonly<Record<string, string>> = {
  'patch /api/v1/webhooks/{id}': 'audit.test.ts has its entry',
  'post /api/v1/people': 'audit.test.ts has its entry',
  'post /api/v1/webhooks': 'audit.test.ts has its entry',
  'post /api/v1/policies': 'needs people; resource routes ask in one way',
  'put /api/v1/webhooks/{id}/readings/{shape}': 'needs a shape; the webhook is settled with the caller',
  'post /api/v1/device-groups': 'needs a phone',
  'post /api/v1/devices': 'the connections of phones and modems ask with the `by` that they get',
  'post /api/v1/sms/send': 'audit.test.ts has its entry',
  'post /api/v1/sms/2fa': 'note-deed.test.ts has its entry',
  'post /api/v1/sms/2fa/verify': 'a try is no deed',
  'post /api/v1/webhooks/preview': 'changes nothing',
  'post /api/v1/webhooks/{id}/test': 'its port asks with the caller of the call that it gets',
}

/** Stands for every port and value. */
const anything: unknown = new Proxy(() => anything, {
  get: (_, name) => (name === 'then' ? undefined : name === Symbol.toPrimitive ? () => 'x' : anything),
  apply: () => anything,
})

/** What each route asks for its own example. */
async function commandsOfRoutes() {
  let asked: { readonly name: string; readonly by: string | undefined }[] = []
  const writer = {
    ask: async (name: string, _: unknown, by?: string) => {
      asked.push({ name, by })
      return anything
    },
  }
  const own: Readonly<Record<string, unknown>> = { writer, refusalOfTarget: () => null, canMail: () => true }
  const all = []
  for (const declared of await declaredRoutes(
    new Proxy(own, { get: (known, name) => known[String(name)] ?? anything }),
  )) {
    const route = noteExport(declared, writer as never)
    if (!('handle' in route) || route.access === 'public') continue
    asked = []
    const json = route.operation?.example?.request
    const call = {
      by: BY,
      principal: { accountId: 'acc_1', userId: BY, test: false, token: TOKEN, session: { id: 'ses_1' } },
      parameters: ['a', 'b', 'c'],
      json,
      bytes: Buffer.from(JSON.stringify(json ?? {})),
      client: () => ({ bucketKey: 'x', address: 'x' }),
      header: () => '',
      query: new URLSearchParams(),
    }
    const handle = route.handle as (call: unknown) => unknown
    // What comes after the command does not matter.
    await Promise.resolve(call)
      .then(handle)
      .catch(() => undefined)
    all.push({ name: `${route.method} ${route.path}`, asked })
  }
  return all.map(one => ({ ...one, asked: one.asked.filter(({ name }) => !UNTOLD.has(name as never)) }))
}

test('no route forgets to say who calls', async () => {
  const all = await commandsOfRoutes()
  const forgot = all.flatMap(({ name, asked }) =>
    asked.filter(({ by }) => by !== BY).map(one => `${name}: ${one.name}`),
  )
  assert.deepEqual(forgot, [])
  const silent = all.filter(({ name, asked }) => asked.length === 0 && !name.startsWith('get '))
  assert.deepEqual(silent.map(({ name }) => name).toSorted(), Object.keys(UNREACHED).toSorted())
  const exports = all.filter(({ name }) => name.endsWith('.csv'))
  assert.deepEqual(
    exports.map(({ asked }) => asked.map(one => one.name)),
    Array(4).fill(['audit.note']),
  )
})
