/** Checks of the configuration that a schema cannot do: keys that belong together, files, addresses. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createSecureContext } from 'node:tls'
import type { Config } from '#contracts/config.ts'
import type { Issue } from '#contracts/problem.ts'
import { messageOf } from '#domain/cause.ts'
import { parseAddressBlock } from '#domain/network/address-block.ts'
import { parseAllowRule } from '#domain/network/allow-rules.ts'
import { isKnownCountry } from '#domain/phone-number/parse-phone-number.ts'
import { readWrittenNumber } from '#domain/phone-number/read-written-number.ts'

/** Applies the rules. `cwd`: relative paths in the configuration start here. */
export function findRuleIssues(config: Config, cwd: string): readonly Issue[] {
  return [
    ...planIssues(config),
    ...proxyIssues(config),
    ...allowedHostIssues(config),
    ...tlsIssues(config, cwd),
    ...passwordIssues(config, cwd),
    ...countryIssues(config),
    ...recipientIssues(config),
    ...clusterIssues(config, cwd),
    ...mailIssues(config),
  ]
}

function planIssues({ accounts, plans }: Config): readonly Issue[] {
  if (Object.hasOwn(plans, accounts.default_plan)) return []
  const message = `there is no plan of this name; the plans are ${Object.keys(plans).join(', ')}`
  return [{ path: 'accounts.default_plan', message }]
}

function clusterIssues({ cluster }: Config, cwd: string): readonly Issue[] {
  if (cluster.etcd.length === 0) return []
  const issues: Issue[] = []
  if (cluster.advertise_url === '')
    issues.push({ path: 'cluster.advertise_url', message: 'must be set: the https address of this gateway' })
  if ((cluster.cert_file === '') !== (cluster.key_file === ''))
    issues.push({ path: 'cluster.key_file', message: 'must be set together with cluster.cert_file' })
  if ((cluster.user === '') !== (cluster.password_file === ''))
    issues.push({ path: 'cluster.password_file', message: 'must be set together with cluster.user' })
  for (const key of ['ca_file', 'cert_file', 'key_file', 'password_file'] as const)
    if (cluster[key] !== '') {
      const { issue } = readNamedFile(`cluster.${key}`, cluster[key], cwd)
      if (issue !== null) issues.push(issue)
    }
  return issues
}

function countryIssues({ messages }: Config): readonly Issue[] {
  const { default_country: own, countries } = messages
  const named = [{ path: 'default_country', country: own }]
  named.push(...countries.map((country, index) => ({ path: `countries.${index}`, country })))
  return named
    .filter(({ country }) => country !== '' && !isKnownCountry(country))
    .map(({ path, country }) => ({
      path: `messages.${path}`,
      message: `${country} is not a country with its own numbering plan: use two letters such as IT`,
    }))
}

function passwordIssues({ mqtt }: Config, cwd: string): readonly Issue[] {
  if (mqtt.password_file === '') return []
  const { issue } = readNamedFile('mqtt.password_file', mqtt.password_file, cwd)
  return issue === null ? [] : [issue]
}

function mailIssues({ mail }: Config): readonly Issue[] {
  if ((mail.smtp_url === '') === (mail.from === '')) return []
  const path = mail.from === '' ? 'mail.from' : 'mail.smtp_url'
  return [{ path, message: 'must be set, too: mails need both mail.smtp_url and mail.from' }]
}

function recipientIssues({ alarms, messages }: Config): readonly Issue[] {
  const seen = new Set<string>()
  return alarms.recipients.flatMap((text, index) => {
    const number = readWrittenNumber(text, messages.default_country)
    const spelling = typeof number === 'string' ? text : number.e164
    const isTwice = seen.has(spelling)
    seen.add(spelling)
    if (typeof number !== 'string' && !isTwice) return []
    const message = isTwice ? 'is listed twice: remove one of the entries' : String(number)
    return [{ path: `alarms.recipients.${index}`, message }]
  })
}

function proxyIssues({ http }: Config): readonly Issue[] {
  return http.trusted_proxies.flatMap((text, index) => {
    const parsed = parseAddressBlock(text)
    return parsed.ok ? [] : [{ path: `http.trusted_proxies.${index}`, message: parsed.message }]
  })
}

function allowedHostIssues({ notifications, devices }: Config): readonly Issue[] {
  const lists = { notifications, devices }
  return Object.entries(lists).flatMap(([section, { allowed_hosts }]) =>
    allowed_hosts.flatMap((text, index) => {
      const parsed = parseAllowRule(text)
      return parsed.ok ? [] : [{ path: `${section}.allowed_hosts.${index}`, message: parsed.message }]
    }),
  )
}

function tlsIssues({ http }: Config, cwd: string): readonly Issue[] {
  const { port, tls_port, tls_cert_file, tls_key_file } = http
  if (tls_port > 0 && tls_port === port)
    return [{ path: 'http.tls_port', message: 'must differ from http.port, or http.port must be 0' }]
  // Without files the gateway uses its own certificate. Its start checks that there is one.
  if (tls_cert_file === '' && tls_key_file === '') return []
  const cert = readNamedFile('http.tls_cert_file', tls_cert_file, cwd)
  const key = readNamedFile('http.tls_key_file', tls_key_file, cwd)
  const issues = [cert, key].flatMap(({ issue }) => (issue === null ? [] : [issue]))
  if (issues.length > 0) return issues
  try {
    createSecureContext({ cert: cert.text, key: key.text })
    return []
  } catch (error) {
    const message = `does not match http.tls_cert_file, or one of the files is not PEM: ${messageOf(error)}`
    return [{ path: 'http.tls_key_file', message }]
  }
}

/** Reads a file that the key at `path` names; `issue`: why it cannot be read. */
function readNamedFile(path: string, file: string, cwd: string): { text: string; issue: Issue | null } {
  if (file === '')
    return {
      text: '',
      issue: { path, message: 'must be set, too: HTTPS needs both http.tls_cert_file and http.tls_key_file' },
    }
  try {
    return { text: readFileSync(resolve(cwd, file), 'utf8'), issue: null }
  } catch (error) {
    return { text: '', issue: { path, message: `cannot be read: ${messageOf(error)}` } }
  }
}
