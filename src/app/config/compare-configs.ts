import { isDeepStrictEqual } from 'node:util'
import { isTable, type Table } from '#app/config/config-table.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'

/** The sections and keys that a reload applies. All others need a restart. */
const TAKEN_OVER = new Set([
  'plans',
  'messages',
  'notifications',
  'webhooks',
  'backup',
  'alarms',
  'log',
  'devices.segments_per_minute',
  'http.trusted_proxies',
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
  const isTakenOver = (section: string, path: string) =>
    TAKEN_OVER.has(section) || TAKEN_OVER.has(path) || (CERTIFICATE_KEYS.has(path) && !isTlsSwitched)
  const changed: string[] = []
  const needRestart: string[] = []
  const config: Table = {}
  const freshTable: Table = { ...fresh }
  for (const [section, before] of Object.entries<unknown>({ ...running })) {
    const after = freshTable[section]
    if (section === 'plans' || !isTable(before) || !isTable(after)) {
      const isTaken = isTakenOver(section, section)
      if (!isDeepStrictEqual(before, after)) (isTaken ? changed : needRestart).push(section)
      config[section] = isTaken ? after : before
      continue
    }
    const keys: Table = { ...before }
    for (const key of Object.keys(before)) {
      const path = `${section}.${key}`
      if (isDeepStrictEqual(before[key], after[key])) continue
      const isTaken = isTakenOver(section, path)
      ;(isTaken ? changed : needRestart).push(path)
      if (isTaken) keys[key] = after[key]
    }
    config[section] = keys
  }
  return { config: config as Config, changed, needRestart }
}
