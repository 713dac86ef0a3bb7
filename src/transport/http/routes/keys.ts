import * as v from 'valibot'
import { CreatedKeyResource, CreateKeyRequest, KeyResource, RevokedKeyResource } from '#contracts/account.ts'
import type { Writer } from '#contracts/commands.ts'
import type { CredentialReader } from '#domain/account/credential-reader.ts'
import { describeKey } from '#domain/account/manage-key.ts'
import { Validation } from '#transport/http/body.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

export interface KeyPorts {
  readonly writer: Writer
  readonly keys: Pick<CredentialReader, 'keysOf'>
}

/** The routes of the account's own API keys. */
export function keyRoutes({ writer, keys }: KeyPorts): Route[] {
  return [
    {
      method: 'get',
      path: '/api/v1/keys',
      access: 'account',
      body: 'none',
      operation: {
        id: 'listKeys',
        tag: 'keys',
        summary: 'List API keys, the valid ones first',
        response: v.array(KeyResource),
        problems: [401, 429, 503],
        example: EXAMPLES.keys,
      },
      handle: ({ principal }) => ({ data: keys.keysOf(principal.accountId).map(describeKey) }),
    },
    {
      method: 'post',
      path: '/api/v1/keys',
      access: 'account',
      body: 'json',
      operation: {
        id: 'createKey',
        tag: 'keys',
        summary: 'Make an API key; only this answer contains it',
        request: CreateKeyRequest,
        response: CreatedKeyResource,
        problems: [400, 401, 409, 413, 415, 429, 503],
        example: EXAMPLES.createKey,
      },
      handle: async ({ principal, json }) => {
        const validation = new Validation()
        const { name, test, cleanText } = validation.complete(validation.parse(CreateKeyRequest, json))
        const { accountId } = principal
        const { key, record } = await writer.ask('key.create-own', { accountId, name, test, cleanText })
        return { data: { ...record, key } }
      },
    },
    {
      method: 'delete',
      path: '/api/v1/keys/{id}',
      access: 'account',
      body: 'none',
      operation: {
        id: 'revokeKey',
        tag: 'keys',
        summary: 'Revoke an API key; it stops working at once, for ever',
        response: RevokedKeyResource,
        problems: [401, 404, 429, 503],
        example: EXAMPLES.revokeKey,
      },
      handle: async ({ principal, parameters }) => {
        const { accountId } = principal
        return { data: await writer.ask('key.revoke', { id: parameters[0] ?? '', accountId }) }
      },
    },
  ]
}
