import { hostname } from 'node:os'
import * as v from 'valibot'
import type { Writer } from '#contracts/commands.ts'
import { PairedDevice, PairRequest } from '#contracts/device.ts'
import { fingerprintFor, PAIRING_PATH } from '#contracts/pairing-address.ts'
import { invalid, Problem } from '#domain/problem.ts'
import type { Settings } from '#domain/settings.ts'
import { readBody } from '#transport/http/body.ts'
import { DEVICE_ID } from '#transport/http/openapi/example-values.ts'
import { PAIRING_PAGE_HEADERS, pairingNotice, pairingPage } from '#transport/http/pairing-page.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'
import { readQuery } from '#transport/http/read-fields.ts'
import type { Answer, Call, Route } from '#transport/http/route.ts'

export interface PairingPorts {
  readonly writer: Writer
  readonly settings: () => Pick<Settings, 'publicUrl' | 'authority'>
  /** Reads the agent's program; null: this build does not have it. */
  readonly agentFile: () => Uint8Array | null
}

/** The routes to pair a phone. They need no credential, because the phone has none yet. */
export function pairingRoutes(ports: PairingPorts): Route[] {
  return [
    {
      method: 'post',
      path: PAIRING_PATH,
      access: 'public',
      body: 'json',
      credential: 'body',
      operation: {
        id: 'pairDevice',
        tag: 'devices',
        summary: 'Pair a phone by its one-time code',
        description:
          'Called by the phone. 401: the code is wrong, used, or older than 10 minutes. 403: the plan ' +
          'allows no more phones. 429: five wrong codes came from this address.',
        request: PairRequest,
        response: PairedDevice,
        problems: [401, 403, 429],
        example: {
          request: { code: '40718263', name: 'Kitchen phone', platform: 'android', appVersion: '1.2.3' },
          data: {
            deviceId: DEVICE_ID,
            ...{ token: 'dvt_EXAMPLE', gatewayName: 'nas' },
            socketUrl: 'ws://roost.local:8080/device/v1/socket',
          },
        },
      },
      handle: async ({ json, client }) => {
        const { bucketKey } = client()
        const request = readBody(PairRequest, json)
        const paired = await ports.writer.ask('device.pair', { ...request, address: bucketKey })
        const gatewayName = hostname().split('.')[0] ?? ''
        return { data: { ...paired, socketUrl: socketUrl(ports.settings().publicUrl), gatewayName } }
      },
    },
    {
      method: 'get',
      path: PAIRING_PATH,
      access: 'public',
      body: 'none',
      operation: {
        id: 'getPairingPage',
        tag: 'devices',
        summary: 'A page that explains how to pair a phone',
        description: 'The page that the QR code opens: it shows the command to type into Termux.',
        response: v.string(),
        bare: 'text/html',
        problems: [401, 429],
        example: { data: '<!doctype html>\n<html lang="en">…</html>\n' },
      },
      handle: call => showPage(ports, call),
    },
    {
      // Reached only without an upgrade, for example from a browser or through a proxy that drops the
      // upgrade.
      method: 'get',
      path: '/device/v1/socket',
      access: 'public',
      body: 'none',
      handle: () => {
        const message = 'this path is a WebSocket: send an upgrade request, and let proxies pass it on'
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
      summary: 'The agent’s program, one file of JavaScript',
      description:
        'The program for Node.js on a phone: JavaScript without dependencies. 404: this build does not ' +
        'include it.',
      response: v.string(),
      bare: 'text/javascript',
      problems: [404, 429],
      example: { data: '// The agent, one file of JavaScript.\n' },
    },
    handle: () => {
      const raw = ports.agentFile()
      if (raw === null) throw new Problem('NOT_FOUND', 'this build has no agent: npm run build')
      return { raw, contentType: 'text/javascript; charset=utf-8' }
    },
  }
}

/** The address of the device socket. */
function socketUrl(publicUrl: string): string {
  return `${publicUrl.replace(/^http/, 'ws')}/device/v1/socket`
}

/**
 * Shows the pairing page. A wrong code counts as a failed pairing, so that the page does not help to guess
 * codes.
 */
async function showPage({ writer, settings }: PairingPorts, { rawQuery, client }: Call): Promise<Answer> {
  const html = { contentType: 'text/html; charset=utf-8', headers: PAIRING_PAGE_HEADERS }
  const code = readQuery(rawQuery).get('code') ?? ''
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
