import * as v from 'valibot'
import { JSON_TYPE } from '#transport/http/http-answer.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

export interface OpenapiPorts {
  /** All other routes of the gateway. */
  readonly routes: readonly Route[]
  readonly version: string
  readonly publicUrl: string
}

const OpenapiDocument = v.object({
  openapi: v.string(),
  info: v.object({ title: v.string(), version: v.string() }),
  paths: v.record(v.string(), v.unknown()),
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
      response: OpenapiDocument,
      bare: 'application/json',
      problems: [],
      example: EXAMPLES.description,
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
