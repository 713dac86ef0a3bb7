/**
 * The ports of one listener. To change a certificate, a second app listens on the same port and replaces the
 * first app's listening socket. Connections of the first app keep its certificate; new ones get the new one.
 * (The library's `addServerName` would not reach clients that connect by address.)
 */

import { App, SSLApp, type TemplatedApp, type us_listen_socket, us_listen_socket_close } from 'uWebSockets.js'
import { createHash, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

export class Doors {
  readonly #equip: (app: TemplatedApp, isTls: boolean) => void
  readonly #apps: TemplatedApp[] = []
  #plain: us_listen_socket | null = null
  #tls: us_listen_socket | null = null
  #certificate = ''

  /** `equip` gives each app its routes. */
  constructor(equip: (app: TemplatedApp, isTls: boolean) => void) {
    this.#equip = equip
  }

  /**
   * Opens every port; the answer is the one that could not be opened, or null.
   *
   * @throws Error when the files of the certificate cannot be used
   */
  open({ http }: Config): number | null {
    const { http: plain, https } = endpointsOf(http)
    if (https !== null) {
      this.#certificate = certificateOf(http)
      this.#tls = this.#listen(this.#tlsApp(http), http.host, https)
      if (this.#tls === null) return https
    }
    if (plain === null) return null
    this.#plain = this.#listen(this.#equipped(App(), false), http.host, plain)
    return this.#plain === null ? plain : null
  }

  /** Loads the current certificate files; the answer is what is wrong, or null. */
  renewCertificate({ http }: Config): string | null {
    const { https } = endpointsOf(http)
    if (https === null) return null
    try {
      const certificate = certificateOf(http)
      if (certificate === this.#certificate) return null
      expectValid(http.tls_cert_file)
      const app = this.#tlsApp(http)
      const before = this.#tls
      // Without delay in between: connections not yet accepted on the old socket are lost.
      const fresh = this.#listen(app, http.host, https)
      if (fresh === null) return `the new certificate is not served: port ${https} was not opened again`
      if (before !== null) us_listen_socket_close(before)
      this.#tls = fresh
      this.#certificate = certificate
      return null
    } catch (error) {
      return `the new certificate is not served: ${messageOf(error)}`
    }
  }

  /** No new connection. */
  shut(): void {
    for (const socket of [this.#plain, this.#tls]) if (socket !== null) us_listen_socket_close(socket)
    this.#plain = null
    this.#tls = null
  }

  /** Closes every connection. */
  close(): void {
    for (const app of this.#apps.splice(0)) app.close()
  }

  #tlsApp({ tls_cert_file, tls_key_file }: Config['http']): TemplatedApp {
    return this.#equipped(SSLApp({ cert_file_name: tls_cert_file, key_file_name: tls_key_file }), true)
  }

  #equipped(app: TemplatedApp, isTls: boolean): TemplatedApp {
    this.#apps.push(app)
    this.#equip(app, isTls)
    return app
  }

  /** The library calls back before `listen` returns. */
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
  if (Date.parse(validTo) <= Date.now()) throw new Error(`the one in ${file} expired on ${validTo}`)
}

/** A digest of certificate and key. */
function certificateOf({ tls_cert_file, tls_key_file }: Config['http']): string {
  const hash = createHash('sha256')
  for (const file of [tls_cert_file, tls_key_file]) hash.update(readFileSync(file)).update('\0')
  return hash.digest('base64')
}
