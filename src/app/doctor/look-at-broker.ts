import { readFileSync } from 'node:fs'
import type { Config } from '#contracts/config.ts'
import type { BrokerFacts } from '#domain/doctor/facts.ts'

/** Logs in to the broker of `[mqtt]`. Null: none is set. */
export async function lookAtBroker({ mqtt }: Config): Promise<BrokerFacts | null> {
  const { url, username, password_file } = mqtt
  if (url === '') return null
  // Imported here, because most gateways do not need it.
  const { tryBroker } = await import('#transport/mqtt/connect-broker.ts')
  const password = password_file === '' ? '' : readFileSync(password_file, 'utf8').trim()
  return { url, fault: await tryBroker({ url, username, password }) }
}
