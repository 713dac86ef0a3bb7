/** A whole gateway with HTTPS and a certificate from its own authority. */

import { rmSync } from 'node:fs'
import type { TestContext } from 'node:test'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { readAuthority, withOwnCertificate } from '#app/certificate/own-certificate.ts'
import { connectControl } from '#app/control/control-client.ts'
import { CONFIG_DEFAULTS, type Config } from '#contracts/config.ts'
import { dataDirectory, makeDataDirectory } from '#storage/data-directory.ts'
import { freePort } from '#test/kit/free-ports.ts'
import { startGateway, type TestGateway } from '#test/kit/gateway.ts'
import { temporaryDirectory } from '#test/kit/temporary-directory.ts'

export interface HttpsGateway extends TestGateway {
  readonly tlsPort: number
  readonly httpsUrl: string
  /** The certificate of the authority, PEM, as it is now. */
  authority(): string
  /** Makes another certificate and serves it. `newAuthority`: another authority issues it. */
  renew(options?: { readonly newAuthority?: boolean }): Promise<void>
}

/** Starts a gateway with a certificate for `localhost` and `127.0.0.1`. */
export async function startHttpsGateway(
  t: TestContext,
  { plainPort = 0, ...config }: Partial<Omit<Config, 'http'>> & { readonly plainPort?: number } = {},
): Promise<HttpsGateway> {
  const directory = dataDirectory(temporaryDirectory(t))
  makeDataDirectory(directory)
  const certify = () => makeCertificate(directory, { names: ['localhost', '127.0.0.1'], nowMs: Date.now() })
  await certify()
  const tlsPort = await freePort()
  const { http } = CONFIG_DEFAULTS
  const ports = { ...http, host: '127.0.0.1', port: plainPort, tls_port: tlsPort }
  const own = withOwnCertificate({ ...CONFIG_DEFAULTS, ...config, data_dir: directory.path, http: ports })
  const gateway = await startGateway({ dataDir: directory.path, config: own })
  t.after(() => gateway.stop())
  const control = await connectControl(directory.controlSocket)
  t.after(() => control?.close())
  return {
    ...gateway,
    tlsPort,
    httpsUrl: `https://127.0.0.1:${tlsPort}`,
    authority: () => readAuthority(directory)?.pem ?? '',
    async renew({ newAuthority = false } = {}) {
      if (newAuthority) rmSync(directory.authority)
      await certify()
      const fault = await control?.takeCertificate()
      if (fault !== null) throw new Error(`the new certificate is not in use: ${fault}`)
    },
  }
}
