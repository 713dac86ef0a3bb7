import * as v from 'valibot'
import { AgentError, reasonOf } from '#agent/agent-error.ts'
import type { Identity } from '#agent/identity.ts'
import { AGENT_PAIR_MS_MAX } from '#contracts/agent-bounds.ts'

export interface PairInput {
  /** As the owner gave it; may end in a path when a proxy serves the gateway under one. */
  readonly server: string
  readonly code: string
  readonly name: string
  readonly platform: string
  readonly appVersion: string
  readonly pairedAt: string
}

const Paired = v.object({ deviceId: v.string(), token: v.pipe(v.string(), v.minLength(1)) })
const Answer = v.union([
  v.pipe(
    v.object({ data: Paired }),
    v.transform(answer => answer.data),
  ),
  Paired,
])
const Refusal = v.object({ error: v.object({ code: v.string(), message: v.string() }) })

/** Turns a one-time code into an identity. */
export async function pair(input: PairInput, signal: AbortSignal): Promise<Identity> {
  const { server, code, name, platform, appVersion, pairedAt } = input
  let httpStatus: number
  let body: unknown
  try {
    const response = await fetch(deviceUrl(server, 'pair'), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ code, name, platform, appVersion }),
      signal: AbortSignal.any([signal, AbortSignal.timeout(AGENT_PAIR_MS_MAX)]),
    })
    httpStatus = response.status
    body = await response.json().catch(() => null)
  } catch (error) {
    throw new AgentError(`The gateway at ${server} cannot be reached: ${causeOf(error)}.`)
  }
  const answer = v.safeParse(Answer, body)
  if (httpStatus !== 200 || !answer.success) throw new AgentError(refusalOf(httpStatus, body))
  const { deviceId, token } = answer.output
  return { version: 1, deviceId, token, socketUrl: socketUrlOf(server), name, pairedAt }
}

/**
 * The address of the socket under the host name that worked for pairing; the gateway may think it has
 * another.
 */
export function socketUrlOf(server: string): string {
  return deviceUrl(server, 'socket').replace(/^http/, 'ws')
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

/** `fetch` says "fetch failed" and hides why. */
function causeOf(error: unknown): string {
  return error instanceof Error && error.cause !== undefined ? reasonOf(error.cause) : reasonOf(error)
}
