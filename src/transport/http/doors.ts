/**
 * The port of one listener. A certificate is changed by a second app on the same port, whose listening socket
 * then replaces the first one's: connections of the first app live on with the certificate they began with,
 * new ones get the new one. (`addServerName` of the library would not reach clients that use an address.)
 */

import { App, SSLApp, type TemplatedApp, type us_listen_socket, us_listen_socket_close } from 'uWebSockets.js'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'

export class Doors {
  readonly #equip: (app: TemplatedApp) => void
  readonly #apps: TemplatedApp[] = []
  #listening: us_listen_socket | null = null
  #certificate = ''

  /** `equip` gives each app its routes. */
  constructor(equip: (app: TemplatedApp) => void) {
    this.#equip = equip
  }

  /** Opens the port; `listening` is called once: whether it could be opened. */
  open(config: Config, listening: (bound: boolean) => void): void {
    this.#certificate = certificateOf(config)
    this.#open(config, listening)
  }

  /** Serves the certificate of the files as they are now; what is wrong, or null. */
  renewCertificate(config: Config): string | null {
    try {
      const certificate = certificateOf(config)
      if (certificate === this.#certificate) return null
      let fault: string | null = null
      const before = this.#listening
      this.#open(config, bound => {
        if (!bound) fault = `the new certificate is not served: port ${config.http.port} was not opened again`
        else if (before !== null) us_listen_socket_close(before)
      })
      if (fault === null) this.#certificate = certificate
      return fault
    } catch (error) {
      return `the new certificate is not served: ${messageOf(error)}`
    }
  }

  /** No new connection. */
  shut(): void {
    if (this.#listening !== null) us_listen_socket_close(this.#listening)
    this.#listening = null
  }

  /** Closes every connection. */
  close(): void {
    for (const app of this.#apps.splice(0)) app.close()
  }

  #open({ http }: Config, opened: (bound: boolean) => void): void {
    const { tls_cert_file, tls_key_file } = http
    const app =
      tls_cert_file === '' ? App() : SSLApp({ cert_file_name: tls_cert_file, key_file_name: tls_key_file })
    this.#apps.push(app)
    this.#equip(app)
    app.listen(http.host, http.port, socket => {
      const bound = socket !== false
      if (bound) this.#listening = socket
      opened(bound)
    })
  }
}

/** A digest of certificate and key; empty without HTTPS. */
function certificateOf({ http }: Config): string {
  if (http.tls_cert_file === '') return ''
  const hash = createHash('sha256')
  for (const file of [http.tls_cert_file, http.tls_key_file]) hash.update(readFileSync(file)).update('\0')
  return hash.digest('base64')
}
