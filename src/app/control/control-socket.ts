/**
 * The control socket, through which the command line uses the writer of the running gateway, so that there is
 * only one writer. Each request is one line of JSON, `{name, input}`. Each answer is one line, `{ok: true,
 * output}` or `{ok: false, problem}`, in the order of the requests. Users who may open the data directory may
 * send any request; other users cannot reach the socket.
 */
import { once } from 'node:events'
import { chmodSync, rmSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import * as v from 'valibot'
import type { CertificateKeeper } from '#app/certificate/keep-certificate.ts'
import { CLUSTER_REQUEST, ClusterRequest } from '#app/control/cluster-requests.ts'
import { CONTROL_COMMANDS, isControlCommand } from '#app/control/control-commands.ts'
import { controlSocketFile } from '#app/control/control-socket-file.ts'
import { readLines } from '#app/control/read-lines.ts'
import type { CommandAnswer, Writer } from '#contracts/commands.ts'
import type { ProblemData } from '#contracts/problem.ts'
import { COMMAND_LINE } from '#contracts/user.ts'
import { invalid, Problem } from '#domain/problem.ts'

/** One request on the control socket: the longest carries a text of 1,600 characters. */
export const CONTROL_REQUEST_BYTES_MAX = 16_384
/** Connections to the control socket at the same time. */
const CONTROL_CONNECTIONS_MAX = 32
/** A control connection is closed after this time without a request. */
const CONTROL_IDLE_MS_MAX = 30_000

/** An answer on the socket. It needs no id, because answers come in the order of the requests. */
export type ControlAnswer =
  | Omit<Extract<CommandAnswer, { ok: true }>, 'id'>
  | Omit<Extract<CommandAnswer, { ok: false }>, 'id'>

/** Facts about the running gateway, which the writer does not know. */
export const GatewayAbout = v.object({
  version: v.string(),
  pid: v.number(),
  /** ISO 8601. */
  startedAt: v.string(),
  /** Address for programs on this machine. */
  url: v.string(),
  /** Address for phones and programs on the network. */
  publicUrl: v.string(),
})
export type GatewayAbout = v.InferOutput<typeof GatewayAbout>

/** Requests that the main thread answers itself. */
export const ABOUT_REQUEST = 'gateway.about'
export const CERTIFICATE_REQUEST = 'gateway.take-certificate'

/**
 * The answer to `CERTIFICATE_REQUEST`. `fault`: why the files could not be loaded; null: they are loaded.
 */
export const CertificateTaken = v.object({ fault: v.nullable(v.string()) })

export interface ControlPorts {
  readonly writer: Writer
  readonly about: () => GatewayAbout
  readonly keeper: Pick<CertificateKeeper, 'check'>
  /** This gateway's part in its cluster; null: it is in none. */
  readonly cluster?: { ask(request: ClusterRequest): Promise<unknown> } | null | undefined
}

/**
 * Serves the control socket until it is closed. The caller holds the lock of the data directory, so an
 * existing socket file is stale and is replaced.
 */
export async function serveControl(path: string, ports: ControlPorts): Promise<{ close(): Promise<void> }> {
  const connections = new Set<ControlConnection>()
  const server = createServer(socket => {
    const connection = new ControlConnection(socket, ports)
    connections.add(connection)
    socket.once('close', () => connections.delete(connection))
  })
  server.maxConnections = CONTROL_CONNECTIONS_MAX
  const file = controlSocketFile(path)
  rmSync(file, { force: true })
  await listenPrivately(server, file)
  // Without a free file descriptor for a connection, only that client fails.
  server.on('error', () => {})
  return {
    async close() {
      const closed = once(server, 'close')
      server.close()
      for (const connection of connections) connection.stop()
      await closed
    },
  }
}

async function listenPrivately(server: Server, path: string): Promise<void> {
  // listen() creates the file: without the mask, others could open it before the chmod.
  const mask = process.umask(0o177)
  try {
    const listening = once(server, 'listening')
    server.listen(path)
    await listening
  } finally {
    process.umask(mask)
  }
  chmodSync(path, 0o600)
}

/** One connection of a command line. */
class ControlConnection {
  readonly #socket: Socket
  #isAnswering = false
  #isStopping = false

  constructor(socket: Socket, ports: ControlPorts) {
    this.#socket = socket
    socket.setTimeout(CONTROL_IDLE_MS_MAX, () => {
      if (!this.#isAnswering) socket.destroy()
    })
    // A client may be killed at any time. That is not an error of the gateway.
    socket.on('error', () => {})
    this.#run(ports).catch(() => socket.destroy())
  }

  /** Answers the request in progress and reads no further ones. */
  stop(): void {
    this.#isStopping = true
    if (!this.#isAnswering) this.#socket.destroy()
  }

  async #run(ports: ControlPorts): Promise<void> {
    for await (const line of readLines(this.#socket, CONTROL_REQUEST_BYTES_MAX)) {
      this.#isAnswering = true
      const answer = await answerTo(line, ports)
      this.#isAnswering = false
      const hasRoom = this.#socket.write(`${JSON.stringify(answer)}\n`)
      if (this.#isStopping) break
      if (!hasRoom) await once(this.#socket, 'drain')
    }
    this.#socket.end()
  }
}

async function answerTo(line: string, ports: ControlPorts): Promise<ControlAnswer> {
  const { writer, about, keeper, cluster } = ports
  try {
    const request = v.parse(ControlRequest, JSON.parse(line))
    if (request.name === ABOUT_REQUEST) return { ok: true, output: about() }
    if (request.name === CERTIFICATE_REQUEST) return { ok: true, output: { fault: await keeper.check() } }
    if (request.name === CLUSTER_REQUEST)
      return { ok: true, output: await askCluster(cluster, v.parse(ClusterRequest, request.input)) }
    const { name, input } = readCommand(request)
    return { ok: true, output: await writer.ask(name, input, COMMAND_LINE) }
  } catch (error) {
    return { ok: false, problem: problemOf(error) }
  }
}

function askCluster(cluster: ControlPorts['cluster'], request: ClusterRequest): Promise<unknown> {
  if (cluster != null) return cluster.ask(request)
  throw new Problem('CONFLICT', 'the running gateway is in no cluster: set cluster.etcd, then restart it')
}

const ControlRequest = v.object({ name: v.string(), input: v.unknown() })

function readCommand(request: v.InferOutput<typeof ControlRequest>) {
  const { name } = request
  if (!isControlCommand(name))
    throw new Problem(
      'NOT_FOUND',
      `the running gateway does not know the command ${name}: update the gateway`,
    )
  const input = v.safeParse(CONTROL_COMMANDS[name], request.input)
  if (input.success) return { name, input: input.output }
  throw invalid(input.issues.map(issue => ({ path: v.getDotPath(issue) ?? '', message: issue.message })))
}

function problemOf(error: unknown): ProblemData {
  if (error instanceof Problem) return error.toData()
  if (error instanceof SyntaxError || v.isValiError(error))
    return { code: 'INVALID_REQUEST', message: 'each line must be a JSON object: {"name": …, "input": …}' }
  return { code: 'INTERNAL_ERROR', message: 'something went wrong; the log of the gateway has the details' }
}
