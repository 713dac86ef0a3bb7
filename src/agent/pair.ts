import * as v from 'valibot'
import { AgentError } from '#agent/agent-error.ts'
import { askGateway } from '#agent/ask-gateway.ts'
import type { Identity } from '#agent/identity.ts'
import { NAME_LENGTH_MAX } from '#contracts/bounds.ts'

export interface PairInput {
  /** The URL that the owner gave. It has a path if a proxy serves the gateway below one. */
  readonly server: string
  readonly code: string
  readonly name: string
  readonly platform: string
  readonly appVersion: string
  readonly pairedAt: string
  /** PEM of the only authority to trust. Left out: those built into Node.js are trusted. */
  readonly authority?: string | undefined
}

const Paired = v.object({
  deviceId: v.string(),
  token: v.pipe(v.string(), v.minLength(1)),
  gatewayName: v.optional(v.string()),
})
/** The answer, with the envelope that other answers of the gateway have, or without it. */
const Answer = v.union([
  v.pipe(
    v.object({ data: Paired }),
    v.transform(answer => answer.data),
  ),
  Paired,
])
const Refusal = v.object({ error: v.object({ code: v.string(), message: v.string() }) })

/** Exchanges a pairing code for an identity. @throws AgentError if the gateway refuses or does not answer */
export async function pair(input: PairInput, signal: AbortSignal): Promise<Identity> {
  const { server, code, name, platform, appVersion, pairedAt, authority } = input
  const call = { url: deviceUrl(server, 'pair'), json: { code, name, platform, appVersion }, ca: authority }
  const { httpStatus, body } = await askGateway(call, signal)
  const json = parseJson(body)
  const answer = v.safeParse(Answer, json)
  if (httpStatus !== 200 || !answer.success) throw new AgentError(refusalOf(httpStatus, json))
  const { deviceId, token, gatewayName } = answer.output
  const pinned = authority === undefined ? {} : { authority }
  const called = gatewayName === undefined ? {} : { gatewayName: gatewayName.slice(0, NAME_LENGTH_MAX) }
  const about = { name, pairedAt, ...called, ...pinned }
  return { version: 1, deviceId, token, socketUrl: socketUrlOf(server), ...about }
}

/**
 * The URL of the device socket, with the host name that worked for pairing. The gateway may have another name
 * for itself.
 */
export function socketUrlOf(server: string): string {
  return deviceUrl(server, 'socket').replace(/^http/, 'ws')
}

/** The gateway's address, from which `socketUrlOf` made this URL. */
export function serverOf(socketUrl: string): string {
  return socketUrl.replace(/^ws/, 'http').replace(/\/device\/v1\/socket$/, '')
}

function deviceUrl(server: string, what: 'pair' | 'socket'): string {
  return `${server.replace(/\/+$/, '')}/device/v1/${what}`
}

function refusalOf(httpStatus: number, body: unknown): string {
  const refusal = v.safeParse(Refusal, body)
  if (!refusal.success) {
    return `The gateway answered the pairing with HTTP ${httpStatus} and no explanation: is it Roost?`
  }
  const { code, message } = refusal.output.error
  return `The gateway refused the pairing: ${message} (${code}). Make a new code with: roost device pair.`
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return null
  }
}
