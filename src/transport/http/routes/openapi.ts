import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import type { Route } from '#transport/http/route.ts'

export interface OpenapiPorts {
  /** All other routes of the gateway. */
  readonly routes: readonly Route[]
  readonly version: string
  readonly publicUrl: string
}

const OpenapiDocument = v.object({
  openapi: noted(v.string(), 'Version of the OpenAPI format.'),
  info: noted(
    v.object({
      title: noted(v.string(), 'Name of the API.'),
      version: noted(v.string(), 'Version of the gateway.'),
    }),
    'Title and version of the document.',
  ),
  paths: noted(v.record(v.string(), v.unknown()), 'The operations.'),
})

/** The route of the OpenAPI document, which is made at the first request and kept. */
export function openapiRoutes(ports: OpenapiPorts): Route[] {
  let text: string | null = null
  const own: Route = {
    method: 'get',
    path: '/api/v1/openapi.json',
    access: 'public',
    body: 'none',
    operation: {
      id: 'getOpenApi',
      tag: 'gateway',
      summary: 'This OpenAPI document',
      description: 'Generated from the same schemas that validate the requests.',
      response: OpenapiDocument,
      bare: 'application/json',
      problems: [],
      example: {
        data: {
          openapi: '3.1.0',
          info: { title: 'Roost', version: '1.2.3' },
          paths: { '/healthz': { get: { operationId: 'getHealth' } } },
        },
      },
    },
    handle: async () => {
      const { describeApi } = await import('#transport/http/openapi/describe-api.ts')
      text ??= JSON.stringify(
        describeApi([...ports.routes, own], { version: ports.version, url: ports.publicUrl }),
      )
      return { raw: text, contentType: JSON_TYPE }
    },
  }
  return [own]
}
