import { CreatedKeyResource, CreateKeyRequest, KeyResource, RevokedKeyResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { CredentialReader } from '#domain/account/credential-store.ts'
import { describeKey } from '#domain/account/manage-key.ts'
import { readBody } from '#transport/http/body.ts'
import { TIME } from '#transport/http/openapi/example-values.ts'
import { referenceOf } from '#transport/http/read-change.ts'
import { resourceRoutes } from '#transport/http/resource-routes.ts'
import type { Route } from '#transport/http/route.ts'

export interface KeyPorts {
  readonly writer: Writer
  readonly keys: Pick<CredentialReader, 'keysOf'>
}

const GIVEN = { name: 'Backup script', test: false, cleanText: false }
const KEY = {
  id: 'key_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  accountId: 'acc_01KG9TMX5C8N1V7K3E6P2D0YSA',
  ...GIVEN,
  hint: 'x7Qd',
  createdAt: TIME,
  lastUsedAt: TIME,
  revokedAt: null,
}

/** The routes of the account's own API keys. */
export function keyRoutes({ writer, keys }: KeyPorts): Route[] {
  return resourceRoutes({
    path: '/api/v1/keys',
    tag: 'keys',
    named: ['Key', 'Keys'],
    verbs: { remove: 'revoke' },
    word: 'key',
    ofId: 'Id of the key, from the list of keys.',
    roles: ['owner', 'owner'],
    words: {
      list: [
        'List API keys, the valid ones first',
        'The keys themselves are never shown again; `hint` holds their last four characters.',
      ],
      create: [
        'Make an API key; only this answer contains it',
        '`key` is shown in this answer only, because the gateway stores only its hash. 409: the account ' +
          'has 100 valid keys; revoke one first.',
      ],
      remove: [
        'Revoke an API key; it stops working at once, for ever',
        'The key is refused as soon as this call is answered. 404: the account has no key with this id.',
      ],
    },
    schemas: {
      create: CreateKeyRequest,
      item: KeyResource,
      made: CreatedKeyResource,
      removed: RevokedKeyResource,
    },
    example: [GIVEN, KEY, {}, { key: 'sk_live_EXAMPLE' }],
    rows: { list: keys.keysOf },
    show: describeKey,
    async create({ by, principal: { accountId }, json }) {
      const wanted = readBody(CreateKeyRequest, json)
      const { key, record } = await writer.ask('key.create-own', { accountId, ...wanted }, by)
      return { ...record, key }
    },
    async remove(call) {
      const { id } = await writer.ask('key.revoke', referenceOf(call), call.by)
      return { id }
    },
  })
}
