/**
 * Maintains the certificate of a running gateway. A certificate that the gateway made is renewed in time, and
 * changed files are loaded without dropping a connection.
 */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { machineNames, uniqueNames } from '#app/certificate/machine-names.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { isOwnCertificateServed } from '#app/certificate/own-certificate.ts'
import { type CertificateFields, readCertificate } from '#app/certificate/read-certificate.ts'
import { afterMs } from '#app/clock.ts'
import { publicUrlOf } from '#app/config/public-url.ts'
import { lanAddress } from '#app/discovery/lan-addresses.ts'
import type { Log } from '#app/log.ts'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import { instant } from '#domain/time.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'

/** A certificate is renewed when this share of its validity is left: four months to notice a failure. */
const CERTIFICATE_RENEWED_AT = 1 / 3
/** How often the gateway checks whether a certificate is due for renewal or its file has changed. */
export const CERTIFICATE_CHECK_EVERY_MS = 60 * 60_000

export interface CertificateKeeperPorts {
  readonly config: Config
  readonly log: Log
  /** Makes each thread load the current files. Returns what went wrong, or null. */
  readonly serve: (config: Config) => Promise<string | null>
  readonly wallMs?: () => number
  /** A timer that fires once; returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: typeof afterMs
  /** This machine's address on the local network; looked up by default. */
  readonly address?: () => string | undefined
}

export class CertificateKeeper {
  readonly #ports: Required<Omit<CertificateKeeperPorts, 'config'>>
  readonly #directory: DataDirectory
  #config: Config
  /** Digest of the files that are served. */
  #served = ''
  /** Digest of the files that were tried last, so that a fault of the same files is logged once. */
  #tried = ''
  #cancel = () => {}
  #checking: Promise<string | null> = Promise.resolve(null)
  /** True between start and stop. Before the start, no thread can load a certificate. */
  #isRunning = false

  constructor({ config, ...ports }: CertificateKeeperPorts) {
    this.#ports = { wallMs: Date.now, after: afterMs, address: lanAddress, ...ports }
    this.#config = config
    this.#directory = dataDirectory(config.data_dir)
  }

  /**
   * Renews the certificate if due. Call this before the listeners load it, because a later change of the
   * certificate can reset a connection that is just being opened. The listeners report files that they cannot
   * use.
   */
  async renewBeforeStart(): Promise<void> {
    await this.#renewIfDue().catch(() => {})
  }

  /** Begins to watch the certificate files. Call this after the listeners have loaded the current ones. */
  start(): void {
    this.#isRunning = true
    if (this.#isHttps()) this.#served = this.#tried = digestOf(this.#config)
    const repeat = () => {
      void this.check()
      this.#cancel = this.#ports.after(repeat, CERTIFICATE_CHECK_EVERY_MS)
    }
    repeat()
  }

  /** Uses the files that the new configuration names. The listeners report what is wrong with them. */
  async reconfigure(config: Config): Promise<null> {
    this.#config = config
    await this.check()
    return null
  }

  /**
   * Renews the certificate if due and serves changed files, one check at a time. Returns the fault, or null.
   */
  check(): Promise<string | null> {
    this.#checking = this.#checking.then(() => this.#checkNow())
    return this.#checking
  }

  async stop(): Promise<void> {
    this.#isRunning = false
    this.#cancel()
    await this.#checking
  }

  async #checkNow(): Promise<string | null> {
    if (!this.#isRunning || !this.#isHttps()) return null
    try {
      await this.#renewIfDue()
      return await this.#serveIfChanged()
    } catch (error) {
      return this.#logFault(messageOf(error))
    }
  }

  #isHttps(): boolean {
    return endpointsOf(this.#config.http).https !== null
  }

  async #renewIfDue(): Promise<void> {
    if (!isOwnCertificateServed(this.#config, this.#directory)) return
    const { log, wallMs, address } = this.#ports
    const nowMs = wallMs()
    const facts = readCertificate(readFileSync(this.#directory.certificate))
    const lan = address()
    if (!isDue(facts, nowMs) && (lan === undefined || facts.names.includes(lan))) return
    try {
      const own = machineNames(publicUrlOf(this.#config))
      const names = uniqueNames([...(lan === undefined ? [] : [lan]), ...facts.names, ...own])
      const made = await makeCertificate(this.#directory, { names, nowMs })
      log.write('info', 'certificate.renewed', { until: instant(made.notAfter), names: made.names.join(' ') })
    } catch (error) {
      log.write('error', 'certificate.not_renewed', {
        until: instant(facts.notAfter),
        cause: messageOf(error),
      })
    }
  }

  async #serveIfChanged(): Promise<string | null> {
    const config = this.#config
    const digest = digestOf(config)
    if (digest === this.#served) return null
    const isNew = digest !== this.#tried
    this.#tried = digest
    const fault = await this.#ports.serve(config)
    if (fault !== null) return isNew ? this.#logFault(fault) : fault
    this.#served = digest
    const { notAfter, names } = readCertificate(readFileSync(config.http.tls_cert_file))
    const fields = { until: instant(notAfter), names: names.join(' ') }
    this.#ports.log.write('info', 'certificate.taken', fields)
    return null
  }

  #logFault(fault: string): string {
    this.#ports.log.write('error', 'certificate.not_taken', { cause: fault })
    return fault
  }
}

function isDue({ notBefore, notAfter }: CertificateFields, nowMs: number): boolean {
  return notAfter - nowMs <= (notAfter - notBefore) * CERTIFICATE_RENEWED_AT
}

function digestOf({ http }: Config): string {
  const hash = createHash('sha256')
  for (const file of [http.tls_cert_file, http.tls_key_file]) hash.update(readFileSync(file)).update('\0')
  return hash.digest('base64')
}
