import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { build } from 'esbuild'
import { generate, HttpClient } from 'openapi-typescript-codegen'
import type { SharedGateway } from '#test/kit/gateway.ts'
import { sharedGateway } from '#test/kit/shared-gateway.ts'

let gateway: SharedGateway
const folder = mkdtempSync(join(tmpdir(), 'roost-client-'))
before(async () => {
  gateway = await sharedGateway()
})
after(() => rmSync(folder, { recursive: true, force: true }))

interface Client {
  readonly messages: {
    sendSms(call: {
      readonly requestBody: unknown
    }): Promise<{ readonly data: { readonly messageId: string } }>
    getMessage(call: { readonly messageId: string }): Promise<{ readonly data: { readonly status: string } }>
  }
}

/** Generates a client from the OpenAPI description that the gateway serves. */
async function generateClient(key: string): Promise<Client> {
  const input = (await (await fetch(`${gateway.url}/api/v1/openapi.json`)).json()) as Record<string, unknown>
  const source = join(folder, 'source')
  await generate({
    input,
    output: source,
    httpClient: HttpClient.FETCH,
    useOptions: true,
    clientName: 'RoostClient',
  })
  const outfile = join(folder, 'client.mjs')
  await build({
    entryPoints: [join(source, 'index.ts')],
    outfile,
    bundle: true,
    format: 'esm',
    logLevel: 'error',
  })
  const { RoostClient } = (await import(outfile)) as {
    readonly RoostClient: new (config: object) => Client
  }
  return new RoostClient({ BASE: gateway.url, HEADERS: { 'X-API-Key': key } })
}

test('a client generated from the description sends a text and reads until it is delivered', async () => {
  const { testKey } = await gateway.newAccount()
  const client = await generateClient(testKey)
  const { data } = await client.messages.sendSms({
    requestBody: { phoneNumber: '+15005550006', message: 'Hello from a generated client' },
  })
  const statuses: string[] = []
  const until = performance.now() + 60_000
  while (statuses.at(-1) !== 'delivered' && performance.now() < until) {
    const message = await client.messages.getMessage({ messageId: data.messageId })
    if (message.data.status !== statuses.at(-1)) statuses.push(message.data.status)
  }
  assert.equal(statuses.at(-1), 'delivered')
})
