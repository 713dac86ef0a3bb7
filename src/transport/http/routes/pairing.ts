import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { PairedDevice, PairRequest } from '#contracts/device.ts'
import { fingerprintFor } from '#contracts/pairing-address.ts'
import { invalid, Problem } from '#domain/problem.ts'
import type { Settings } from '#domain/settings.ts'
import { Validation } from '#transport/http/body.ts'
import { EXAMPLES } from '#transport/http/openapi/examples.ts'
import { PAIRING_PAGE_HEADERS, pairingNotice, pairingPage } from '#transport/http/pairing-page.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'

export interface PairingPorts {
  readonly writer: Writer
  readonly settings: () => Pick<Settings, 'publicUrl' | 'authority'>
  /** The agent as one file; null: this build has none. */
  readonly agentFile: () => Uint8Array | null
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
        id: 'pairDevice',
        tag: 'devices',
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
        return { data: { ...paired, socketUrl: socketUrl(ports.settings().publicUrl) } }
      },
    },
    {
      method: 'get',
      path: '/device/v1/pair',
      access: 'public',
      body: 'none',
      operation: {
        id: 'getPairingPage',
        tag: 'devices',
        summary: 'How to pair, for a person',
        response: v.string(),
        bare: 'text/html',
        problems: [401, 429],
        example: EXAMPLES.pairingPage,
      },
      handle: call => showPage(ports, call),
    },
    {
      // Reached only without an upgrade: a browser, or a proxy that does not pass it on.
      method: 'get',
      path: '/device/v1/socket',
      access: 'public',
      body: 'none',
      handle: () => {
        const message = 'this is a WebSocket: send an upgrade request, and let proxies pass it on'
        throw invalid([{ path: 'Upgrade', message }])
      },
    },
    agentRoute(ports),
  ]
}

function agentRoute(ports: PairingPorts): Route {
  return {
    method: 'get',
    path: '/device/v1/agent.mjs',
    access: 'public',
    body: 'none',
    operation: {
      id: 'getAgent',
      tag: 'devices',
      summary: 'The reference device as one file',
      response: v.string(),
      bare: 'text/javascript',
      problems: [404, 429],
      example: EXAMPLES.agent,
    },
    handle: () => {
      const raw = ports.agentFile()
      if (raw === null) throw new Problem('NOT_FOUND', 'this build has no agent: npm run build')
      return { raw, contentType: 'text/javascript; charset=utf-8' }
    },
  }
}

/** Where a device connects: the gateway's address, as a WebSocket. */
function socketUrl(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, 'ws')}/device/v1/socket`
}

/** A wrong code counts like a failed pairing, so that the page cannot be used to guess. */
async function showPage({ writer, settings }: PairingPorts, { rawQuery, client }: Call): Promise<Answer> {
  const html = { contentType: 'text/html; charset=utf-8', headers: PAIRING_PAGE_HEADERS }
  const code = new URLSearchParams(rawQuery).get('code') ?? ''
  try {
    if (!/^\d{8}$/.test(code)) throw new Problem('UNAUTHORIZED', 'a pairing code has 8 digits')
    await writer.ask('device.check-pairing', { code, address: client().bucketKey })
    const { publicUrl, authority } = settings()
    return {
      ...html,
      raw: pairingPage({ publicUrl, code, fingerprint: fingerprintFor(publicUrl, authority) }),
    }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    const { status, headers } = problemAnswer(error)
    const raw = pairingNotice(error.message)
    return { ...html, raw, status, headers: { ...headers, ...PAIRING_PAGE_HEADERS } }
  }
}
