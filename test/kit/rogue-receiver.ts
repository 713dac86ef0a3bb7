/** Receivers of notifications that behave well or badly: local servers that count what reaches them. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net'
import { text } from 'node:stream/consumers'
import type { KeyAndCertificate } from '#test/kit/self-signed.ts'

export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface Receiver {
  readonly port: number
  /** `http://127.0.0.1:<port>/hook`, or with https. */
  readonly url: string
  /** TCP connections so far. */
  readonly connections: () => number
  /** TCP connections that are open now. */
  readonly open: () => number
  readonly requests: readonly ReceivedRequest[]
  close(): Promise<void>
}

export type Behaviour = (request: ReceivedRequest, response: ServerResponse) => void

/** A web server that runs `behave` once a request is complete; with TLS when given a certificate. */
export function startReceiver(behave: Behaviour, tls?: KeyAndCertificate): Promise<Receiver> {
  const requests: ReceivedRequest[] = []
  const listener: RequestListener = async (incoming, response) => {
    const { method = '', url: path = '', headers } = incoming
    const request = { method, path, headers, body: await text(incoming) }
    requests.push(request)
    behave(request, response)
  }
  const onRequest: RequestListener = (incoming, response) => {
    Promise.resolve(listener(incoming, response)).catch(() => response.destroy())
  }
  const server = tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest)
  return listen(server, { requests, scheme: tls === undefined ? 'http' : 'https' })
}

/** A bare TCP server; the scheme is what its URL claims. */
export function startTcpReceiver(
  onSocket: (socket: Socket) => void,
  scheme: 'http' | 'https' = 'http',
): Promise<Receiver> {
  return listen(createTcpServer(onSocket), { requests: [], scheme })
}

/** A port of this machine on which nothing listens. */
export async function closedPort(): Promise<number> {
  const receiver = await startTcpReceiver(() => {})
  await receiver.close()
  return receiver.port
}

/** A port of a program that accepts nothing, with a full queue of waiting connections. */
export async function deafPort(t: { after(done: () => void): void }): Promise<number> {
  const program = `const server = require('node:net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => console.log(server.address().port))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => child.kill('SIGKILL'))
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const port = Number(line)
  child.kill('SIGSTOP')
  const waiting = [connect(port, '127.0.0.1'), connect(port, '127.0.0.1')]
  for (const socket of waiting) socket.on('error', () => {})
  t.after(() => {
    for (const socket of waiting) socket.destroy()
  })
  await Promise.all(waiting.map(socket => once(socket, 'connect')))
  return port
}

/** Answers at once. */
export function answering(status: number, headers: Record<string, string> = {}, body = ''): Behaviour {
  return (_request, response) => response.writeHead(status, headers).end(body)
}

/** Accepts the request and never answers. */
export function silent(): void {}

/** Sends status and headers, but never the body. */
export function hangingAfterHeaders(_request: ReceivedRequest, response: ServerResponse): void {
  response.writeHead(200, { 'content-length': '10' }).flushHeaders()
}

/** Sends an endless body, one byte at a time. */
export function trickling(everyMs: number): Behaviour {
  return (_request, response) => {
    response.writeHead(200)
    const timer = setInterval(() => response.write('.'), everyMs)
    response.on('close', () => clearInterval(timer))
  }
}

/** Sends a body of that length as fast as it is read. */
export function flooding(bytes: number): Behaviour {
  return (_request, response) => {
    const chunk = Buffer.alloc(16_384, 'x')
    let left = bytes
    response.writeHead(200, { 'content-length': String(bytes) })
    const push = () => {
      while (left > 0 && !response.destroyed) {
        left -= chunk.length
        if (!response.write(chunk)) return
      }
      response.end()
    }
    response.on('drain', push)
    push()
  }
}

/** Resets the connection (RST) once the request has arrived. */
export function resetting(_request: ReceivedRequest, response: ServerResponse): void {
  response.socket?.resetAndDestroy()
}

async function listen(
  server: Server,
  { requests, scheme }: { requests: ReceivedRequest[]; scheme: string },
): Promise<Receiver> {
  const sockets = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket: Socket) => {
    connections += 1
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => {})
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    port,
    url: `${scheme}://127.0.0.1:${port}/hook`,
    connections: () => connections,
    open: () => sockets.size,
    requests,
    close: async () => {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
