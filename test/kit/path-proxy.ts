/**
 * A reverse proxy like those that people put in front of a gateway. It forwards requests below a path, and
 * removes that path from them.
 */
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import type { Cleaner } from '#test/kit/gateway-process.ts'

interface ProxyOptions {
  /** Says which answers the proxy loses. It forwards their requests, and then breaks the connection. */
  readonly losesAnswer?: (method: string, url: string) => boolean
  /** The Host that the gateway sees. Default: as the browser sent it. */
  readonly host?: string
}

/** @returns the proxy's address, with the path and without a slash at its end */
export async function startPathProxy(
  t: Cleaner,
  target: string,
  path: string,
  { losesAnswer = () => false, host }: ProxyOptions = {},
): Promise<string> {
  const { hostname, port } = new URL(target)
  const inner = (url = '') => url.slice(path.length) || '/'
  const proxy = createServer((incoming, response) => {
    if (incoming.url?.startsWith(`${path}/`) !== true) return void response.writeHead(404).end()
    const { method } = incoming
    const headers = { ...incoming.headers, ...(host !== undefined && { host }) }
    const options = { hostname, port, method, headers, path: inner(incoming.url) }
    const forwarded = request(options, answer => {
      if (losesAnswer(method ?? '', options.path)) return void incoming.socket.destroy()
      response.writeHead(answer.statusCode ?? 502, answer.rawHeaders)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.writeHead(502).end())
    incoming.pipe(forwarded)
  })
  proxy.on('upgrade', ({ url, rawHeaders }, socket) => {
    const forwarded = connect(Number(port), hostname)
    const sent = rawHeaders.map((word, index) => (rawHeaders[index - 1] === 'Host' ? (host ?? word) : word))
    const heads = sent.map((word, index) => (index % 2 === 0 ? `${word}: ` : `${word}\r\n`))
    forwarded.write(`GET ${inner(url)} HTTP/1.1\r\n${heads.join('')}\r\n`)
    forwarded.pipe(socket).pipe(forwarded)
    forwarded.on('error', () => socket.destroy())
    socket.on('error', () => forwarded.destroy())
    socket.on('close', () => forwarded.destroy())
    t.after(() => socket.destroy())
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  t.after(() => {
    proxy.closeAllConnections()
    proxy.close()
  })
  return `http://127.0.0.1:${(proxy.address() as AddressInfo).port}${path}`
}
