import { networkInterfaces } from 'node:os'
import { neighboursOf } from '#app/config/neighbours.ts'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import { REFUSAL_MESSAGES } from '#transport/notification/describe-refusal.ts'
import {
  checkTargetUrl,
  createTargetPolicy,
  sandboxPolicy,
  type TargetPolicy,
} from '#transport/notification/target-guard.ts'

/**
 * The rules that decide to which targets notifications may be sent. The gateway's ports must be known
 * already.
 *
 * @throws Error that names the invalid entries of `notifications.allowed_hosts`
 */
export function targetPolicyOf(config: Config): TargetPolicy {
  const { http, notifications } = config
  const endpoints = endpointsOf(http)
  return createTargetPolicy({
    allowedHosts: notifications.allowed_hosts,
    allowPrivate: notifications.allow_private,
    ownSockets: [endpoints.http, endpoints.https]
      .filter(port => port !== null)
      .map(port => ({ address: http.host, port })),
    neighbours: neighboursOf(config),
    localAddresses,
  })
}

/**
 * A function that says why a URL is refused as a target by the current policy; null: it is allowed.
 * `isSandbox`: only events of a sandbox message go there.
 */
export function targetChecker(policy: () => TargetPolicy) {
  return (url: string, isSandbox: boolean): string | null => {
    const verdict = checkTargetUrl(url, isSandbox ? sandboxPolicy(policy()) : policy())
    return verdict.ok ? null : REFUSAL_MESSAGES[verdict.reason]
  }
}

/**
 * This machine's own addresses, which are refused as targets. Empty on systems that do not list them, such as
 * some phones; loopback addresses and the configured host are refused in any case.
 */
export function localAddresses(interfaces = networkInterfaces): string[] {
  try {
    return Object.values(interfaces()).flatMap(addresses => (addresses ?? []).map(it => it.address))
  } catch {
    return []
  }
}
