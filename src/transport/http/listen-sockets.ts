/**
 * The ports of one listener. To change the certificate, a second app opens the same port, and then the
 * listening socket of the first app is closed. Open connections keep the old certificate, and new connections
 * get the new one. (The library's `addServerName` would not serve clients that connect by IP address.)
 */

import { App, SSLApp, type TemplatedApp, type us_listen_socket, us_listen_socket_close } from 'uWebSockets.js'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

export class ListenSockets {
  readonly #setUp: (app: TemplatedApp, isTls: boolean) => void
  readonly #apps: TemplatedApp[] = []
  #plain: us_listen_socket | null = null
  #tls: us_listen_socket | null = null
  /** Sockets that a newer one replaces, until they are closed. */
  readonly #retiring = new Set<us_listen_socket>()
  #certificateDigest = ''

  /** `setUp` registers the routes and sockets of each new app. */
  constructor(setUp: (app: TemplatedApp, isTls: boolean) => void) {
    this.#setUp = setUp
  }

  /**
   * Opens all ports. Returns the port that could not be opened, or null.
   *
   * @throws Error when the certificate files cannot be used
   */
  open({ http }: Config): number | null {
    const { http: plain, https } = endpointsOf(http)
    if (https !== null) {
      this.#certificateDigest = digestOf(http)
      this.#tls = this.#listen(this.#tlsApp(http), http.host, https)
      if (this.#tls === null) return https
    }
    if (plain === null) return null
    this.#plain = this.#listen(this.#newApp(App(), false), http.host, plain)
    return this.#plain === null ? plain : null
  }

  /**
   * Loads the current certificate files. Once it returns, every new connection gets them. Returns what went
   * wrong, or null.
   */
  async renewCertificate({ http }: Config): Promise<string | null> {
    const { https } = endpointsOf(http)
    if (https === null) return null
    try {
      const digest = digestOf(http)
      if (digest === this.#certificateDigest) return null
      expectValid(http.tls_cert_file)
      const app = this.#tlsApp(http)
      const before = this.#tls
      const newSocket = this.#listen(app, http.host, https)
      if (newSocket === null)
        return `the new certificate is not in use: port ${https} could not be opened again`
      this.#tls = newSocket
      this.#certificateDigest = digest
      if (before !== null) await this.#retire(before)
      return null
    } catch (error) {
      return `the new certificate is not in use: ${messageOf(error)}`
    }
  }

  /**
   * Closes a listening socket. That resets the connections that still wait to be accepted, such as those that
   * arrived while the new certificate was read. So the event loop accepts them first.
   */
  async #retire(socket: us_listen_socket): Promise<void> {
    this.#retiring.add(socket)
    // The first turn may come before the loop polls its sockets. The second one comes right after the poll.
    await nextTurn()
    await nextTurn()
    if (this.#retiring.delete(socket)) us_listen_socket_close(socket)
  }

  /** Stops accepting connections. */
  shut(): void {
    for (const socket of [this.#plain, this.#tls, ...this.#retiring])
      if (socket !== null) us_listen_socket_close(socket)
    this.#retiring.clear()
    this.#plain = null
    this.#tls = null
  }

  /** Closes all connections. */
  close(): void {
    for (const app of this.#apps.splice(0)) app.close()
  }

  #tlsApp({ tls_cert_file, tls_key_file }: Config['http']): TemplatedApp {
    return this.#newApp(SSLApp({ cert_file_name: tls_cert_file, key_file_name: tls_key_file }), true)
  }

  #newApp(app: TemplatedApp, isTls: boolean): TemplatedApp {
    this.#apps.push(app)
    this.#setUp(app, isTls)
    return app
  }

  /** Opens a port; null: that failed. The library calls back before `listen` returns. */
  #listen(app: TemplatedApp, host: string, port: number): us_listen_socket | null {
    let opened: us_listen_socket | null = null
    app.listen(host, port, socket => {
      if (socket !== false) opened = socket
    })
    return opened
  }
}

/** @throws Error when the certificate has expired */
function expectValid(file: string): void {
  const { validTo } = new X509Certificate(readFileSync(file))
  if (Date.parse(validTo) <= Date.now())
    throw new Error(`the certificate in ${file} expired on ${validTo}: renew it, then reload`)
}

/** A digest of the certificate file and the key file, to notice changes. */
function digestOf({ tls_cert_file, tls_key_file }: Config['http']): string {
  const hash = createHash('sha256')
  for (const file of [tls_cert_file, tls_key_file]) hash.update(readFileSync(file)).update('\0')
  return hash.digest('base64')
}
