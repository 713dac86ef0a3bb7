import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { PairedDevice, PairRequest } from '#contracts/device.ts'
import { invalid, Problem } from '#domain/problem.ts'
import { Validation } from '#transport/http/body.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import type { Route } from '#transport/http/route.ts'

export interface PairingPorts {
  readonly writer: Writer
  readonly publicUrl: string
  readonly agentFile: Uint8Array | null
}

/** How a phone becomes a device: outside the API, because the phone has no credential yet. */
export function pairingRoutes(ports: PairingPorts): Route[] {
  return [
    {
      method: 'post',
      path: '/device/v1/pair',
      access: 'public',
      body: 'json',
      operation: {
        summary: 'Pair a phone by its one-time code',
        request: PairRequest,
        response: PairedDevice,
        problems: [401, 403, 429],
        example: EXAMPLES.pair,
      },
      handle: async ({ json, client }) => {
        const { bucketKey } = client()
        const validation = new Validation()
        const request = validation.complete(validation.parse(PairRequest, json))
        const paired = await ports.writer.ask('device.pair', { ...request, address: bucketKey })
        return { data: { ...paired, socketUrl: socketUrl(ports.publicUrl) } }
      },
    },
    {
      method: 'get',
      path: '/device/v1/pair',
      access: 'public',
      body: 'none',
      operation: {
        summary: 'How to pair, for a person',
        response: v.string(),
        bare: 'text/plain',
        problems: [429],
        example: EXAMPLES.pairingPage,
      },
      handle: ({ rawQuery }) => ({
        raw: instructions(ports.publicUrl, new URLSearchParams(rawQuery).get('code') ?? ''),
        contentType: 'text/plain; charset=utf-8',
      }),
    },
    {
      // Reached only without an upgrade: a browser, or a proxy that does not pass it on.
      method: 'get',
      path: '/device/v1/socket',
      access: 'public',
      body: 'none',
      handle: () => {
        const message = 'this is a WebSocket: ask for it, and have proxies pass it on'
        throw invalid([{ path: 'Upgrade', message }])
      },
    },
    {
      method: 'get',
      path: '/device/v1/agent.mjs',
      access: 'public',
      body: 'none',
      operation: {
        summary: 'The reference device as one file',
        response: v.string(),
        bare: 'text/javascript',
        problems: [404, 429],
        example: EXAMPLES.agent,
      },
      handle: () => {
        if (ports.agentFile === null) throw new Problem('NOT_FOUND', 'this build has no agent: npm run build')
        return { raw: ports.agentFile, contentType: 'text/javascript; charset=utf-8' }
      },
    },
  ]
}

/** Where a device connects: the gateway's address, as a WebSocket. */
function socketUrl(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, 'ws')}/device/v1/socket`
}

/** What a person sees who opens the pairing address: the two lines for Termux. */
function instructions(publicUrl: string, code: string): string {
  const shown = /^\d{8}$/.test(code) ? code : 'CODE'
  return `Roost: pair this phone

In Termux (with Termux:API and Node.js: pkg install termux-api nodejs):

  curl -fsSO ${publicUrl}/device/v1/agent.mjs
  node agent.mjs --server ${publicUrl} --code ${shown} --driver termux

The code works once, for ten minutes.
`
}
