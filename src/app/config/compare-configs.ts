import { isDeepStrictEqual } from 'node:util'
import { isTable, type Table } from '#app/config/config-table.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** The sections and keys that a reload applies. All others need a restart. */
const RELOADABLE = new Set([
  'plans',
  'accounts',
  'messages',
  'notifications',
  'mail',
  'webhooks',
  'backup',
  'alarms',
  'log',
  'devices.segments_per_minute',
  'devices.modem_accounts',
  'http.trusted_proxies',
  'http.forwarded',
  'http.body_bytes_max',
  'http.anonymous_calls_per_minute',
])
/** A reload applies these too, unless it switches HTTPS on or off, which changes the ports. */
const CERTIFICATE_KEYS = new Set(['http.tls_cert_file', 'http.tls_key_file'])

export interface ConfigChange {
  /** The running configuration with the applied changes. */
  readonly config: Config
  /** Paths of changed keys that the reload applies. A change of any plan appears as `plans`. */
  readonly changed: readonly string[]
  /** Paths of changed keys that need a restart. */
  readonly needRestart: readonly string[]
}

/** Compares the running configuration with one that was read again. */
export function compareConfigs(running: Config, fresh: Config): ConfigChange {
  const isTlsSwitched =
    (endpointsOf(running.http).https === null) !== (endpointsOf(fresh.http).https === null)
  const isReloadable = (section: string, path: string) =>
    RELOADABLE.has(section) || RELOADABLE.has(path) || (CERTIFICATE_KEYS.has(path) && !isTlsSwitched)
  const changed: string[] = []
  const needRestart: string[] = []
  const config: Table = {}
  const freshTable: Table = { ...fresh }
  for (const [section, before] of Object.entries<unknown>({ ...running })) {
    if (section === 'fixed') continue
    const after = freshTable[section]
    if (section === 'plans' || !isTable(before) || !isTable(after)) {
      const isApplied = isReloadable(section, section)
      config[section] = isApplied ? after : before
      if (isDeepStrictEqual(before, after)) continue
      if (isApplied) changed.push(section)
      else needRestart.push(section)
      continue
    }
    const keys: Table = { ...before }
    for (const key of Object.keys(before)) {
      const path = `${section}.${key}`
      if (isDeepStrictEqual(before[key], after[key])) continue
      if (isReloadable(section, path)) {
        changed.push(path)
        keys[key] = after[key]
      } else needRestart.push(path)
    }
    config[section] = keys
  }
  const { fixed } = fresh
  return { config: { ...(config as Config), ...(fixed && { fixed }) }, changed, needRestart }
}
