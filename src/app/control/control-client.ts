import { once } from 'node:events'
import { statSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { dirname } from 'node:path'
import * as v from 'valibot'
import { CLUSTER_REQUEST, type ClusterRequest } from '#app/control/cluster-requests.ts'
import {
  ABOUT_REQUEST,
  CERTIFICATE_REQUEST,
  CertificateTaken,
  GatewayAbout,
} from '#app/control/control-socket.ts'
import { controlSocketFile } from '#app/control/control-socket-file.ts'
import { readLines } from '#app/control/read-lines.ts'
import { nameUser } from '#app/name-user.ts'
import type { CommandInput, CommandName, CommandOutput, Writer } from '#contracts/commands.ts'
import { PROBLEM_CODES } from '#contracts/problem.ts'
import { Problem } from '#domain/problem.ts'

/** One answer on the control socket: 10,000 keys or devices at about 250 bytes. */
const CONTROL_ANSWER_BYTES_MAX = 4_194_304

export interface ControlClient extends Writer {
  /** The gateway's version and addresses; null: the gateway is too old to answer the request. */
  about(): Promise<GatewayAbout | null>
  /** Asks about the cluster, or for a change of the membership. */
  askCluster(request: ClusterRequest): Promise<unknown>
  /** Makes the gateway load the certificate files. Returns what went wrong, or null. */
  takeCertificate(): Promise<string | null>
  close(): void
}

/** Checks only the fields that tell success from failure, because the gateway is trusted. */
const Answer = v.variant('ok', [
  v.object({ ok: v.literal(true), output: v.unknown() }),
  v.object({
    ok: v.literal(false),
    problem: v.object({
      code: v.picklist(PROBLEM_CODES),
      message: v.string(),
      details: v.optional(v.custom<object>(details => typeof details === 'object' && details !== null)),
    }),
  }),
])

/**
 * Connects to the gateway that serves this socket; null: no gateway does. The socket must belong to root, to
 * the current user or to `ownerUid`, the owner of the data directory.
 *
 * @throws Error when the socket belongs to another user, or the current user may not open it
 */
export async function connectControl(path: string, ownerUid?: number): Promise<ControlClient | null> {
  const file = controlSocketFile(path)
  const socket = createConnection(file)
  try {
    await once(socket, 'connect')
  } catch (error) {
    if (isNotServed(error)) return null
    throw error
  }
  try {
    checkOwner(file, ownerUid)
  } catch (error) {
    socket.destroy()
    throw error
  }
  return new SocketWriter(socket)
}

function isNotServed(error: unknown): boolean {
  return error instanceof Error && 'code' in error && ['ENOENT', 'ECONNREFUSED'].includes(String(error.code))
}

/** Refuses a socket of another user in a directory that others may write, such as /tmp. */
function checkOwner(file: string, ownerUid: number | undefined): void {
  const folder = statSync(dirname(file))
  if ((folder.mode & 0o022) === 0) return
  const { uid } = statSync(file)
  const trusted = [0, ownerUid, process.getuid?.()]
  if (!trusted.includes(uid))
    throw new Error(`${file} belongs to another user (${nameUser(uid)}): remove it, or run this as its owner`)
}

class SocketWriter implements ControlClient {
  readonly #socket: Socket
  readonly #answers: AsyncGenerator<string, void, undefined>
  #last: Promise<unknown> = Promise.resolve()

  constructor(socket: Socket) {
    this.#socket = socket
    // A broken connection ends the stream of answers, where the error is reported.
    socket.on('error', () => {})
    this.#answers = readLines(socket, CONTROL_ANSWER_BYTES_MAX)
  }

  ask<N extends CommandName>(name: N, input: CommandInput<N>): Promise<CommandOutput<N>> {
    return this.#askInTurn(name, input) as Promise<CommandOutput<N>>
  }

  async about(): Promise<GatewayAbout | null> {
    const read = v.safeParse(GatewayAbout, await this.#askInTurn(ABOUT_REQUEST, {}).catch(nullIfUnknown))
    return read.success ? read.output : null
  }

  async takeCertificate(): Promise<string | null> {
    return v.parse(CertificateTaken, await this.#askInTurn(CERTIFICATE_REQUEST, {})).fault
  }

  askCluster(request: ClusterRequest): Promise<unknown> {
    return this.#askInTurn(CLUSTER_REQUEST, request)
  }

  close(): void {
    this.#socket.destroy()
  }

  /** Sends the request once all earlier ones are answered, because an answer does not name its request. */
  #askInTurn(name: string, input: unknown): Promise<unknown> {
    const answer = this.#last.then(() => this.#exchange(name, input))
    this.#last = answer.catch(() => {})
    return answer
  }

  async #exchange(name: string, input: unknown): Promise<unknown> {
    this.#socket.write(`${JSON.stringify({ name, input })}\n`)
    const line = await this.#answers.next().catch(() => null)
    if (line === null || line.done)
      throw new Problem(
        'SERVICE_UNAVAILABLE',
        'the gateway stopped before it answered: check whether the change was made',
      )
    const answer = v.parse(Answer, JSON.parse(line.value))
    if (answer.ok) return answer.output
    const { code, message, details } = answer.problem
    throw Problem.from(details === undefined ? { code, message } : { code, message, details })
  }
}

/** Returns null if an older gateway does not know the request. @throws any other error */
function nullIfUnknown(error: unknown): null {
  if (error instanceof Problem && error.code === 'NOT_FOUND') return null
  throw error
}
