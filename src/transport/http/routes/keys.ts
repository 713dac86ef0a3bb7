import * as v from 'valibot'
import { CreatedKeyResource, CreateKeyRequest, KeyResource, RevokedKeyResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { CredentialReader } from '#domain/account/credential-reader.ts'
import { describeKey } from '#domain/account/manage-key.ts'
import { Validation } from '#transport/http/body.ts'
import { TIME } from '#transport/http/openapi/example-values.ts'
import type { Route } from '#transport/http/route.ts'

export interface KeyPorts {
  readonly writer: Writer
  readonly keys: Pick<CredentialReader, 'keysOf'>
}

const KEY = {
  id: 'key_01KG9V0E7M4T0JH0Q4W2Z9R3XB',
  accountId: 'acc_01KG9TMX5C8N1V7K3E6P2D0YSA',
  name: 'Backup script',
  test: false,
  cleanText: false,
  hint: 'x7Qd',
  createdAt: TIME,
  lastUsedAt: TIME,
  revokedAt: null,
}

/** The routes of the account's own API keys. */
export function keyRoutes(ports: KeyPorts): Route[] {
  return [listRoute(ports), ...changingRoutes(ports)]
}

function listRoute({ keys }: KeyPorts): Route {
  return {
    method: 'get',
    path: '/api/v1/keys',
    access: 'account',
    role: 'owner',
    body: 'none',
    operation: {
      id: 'listKeys',
      tag: 'keys',
      summary: 'List API keys, the valid ones first',
      description: 'The keys themselves are never shown again; `hint` holds their last four characters.',
      response: v.array(KeyResource),
      problems: [401, 429, 503],
      example: { data: [KEY] },
    },
    handle: ({ principal }) => ({ data: keys.keysOf(principal.accountId).map(describeKey) }),
  }
}

function changingRoutes({ writer }: KeyPorts): Route[] {
  return [
    {
      method: 'post',
      path: '/api/v1/keys',
      access: 'account',
      role: 'owner',
      body: 'json',
      operation: {
        id: 'createKey',
        tag: 'keys',
        summary: 'Make an API key; only this answer contains it',
        description:
          '`key` is shown in this answer only, because the gateway stores only its hash. 409: the account ' +
          'has 100 valid keys; revoke one first.',
        request: CreateKeyRequest,
        response: CreatedKeyResource,
        problems: [400, 401, 409, 413, 415, 429, 503],
        example: {
          request: { name: 'Backup script', test: false, cleanText: false },
          data: { ...KEY, key: 'sk_live_EXAMPLE' },
        },
      },
      handle: async ({ by, principal, json }) => {
        const validation = new Validation()
        const { name, test, cleanText } = validation.complete(validation.parse(CreateKeyRequest, json))
        const { accountId } = principal
        const { key, record } = await writer.ask('key.create-own', { accountId, name, test, cleanText }, by)
        return { data: { ...record, key } }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/keys/{id}',
      access: 'account',
      role: 'owner',
      body: 'none',
      operation: {
        id: 'revokeKey',
        tag: 'keys',
        summary: 'Revoke an API key; it stops working at once, for ever',
        description:
          'The key is refused as soon as this call is answered. 404: the account has no key with this id.',
        parameters: { id: { description: 'Id of the key, from the list of keys.', example: KEY.id } },
        response: RevokedKeyResource,
        problems: [401, 404, 429, 503],
        example: { data: { id: KEY.id } },
      },
      handle: async ({ by, principal, parameters }) => {
        const { accountId } = principal
        const { id } = await writer.ask('key.revoke', { id: parameters[0] ?? '', accountId }, by)
        return { data: { id } }
      },
    },
  ]
}
