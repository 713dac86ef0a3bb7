import { networkInterfaces } from 'node:os'
import type { Config } from '#contracts/config.ts'
import { endpointsOf } from '#domain/network/endpoints.ts'
import { REFUSAL_WORDS } from '#transport/notification/describe-refusal.ts'
import {
  checkTargetUrl,
  createTargetPolicy,
  type TargetPolicy,
} from '#transport/notification/target-guard.ts'

/**
 * Which targets this gateway's notifications may be sent to; its ports must be known by now.
 *
 * @throws Error naming the entries of `notifications.allowed_hosts` that cannot be read
 */
export function targetPolicyOf({ http, notifications }: Config): TargetPolicy {
  const endpoints = endpointsOf(http)
  return createTargetPolicy({
    allowedHosts: notifications.allowed_hosts,
    allowPrivate: notifications.allow_private,
    ownSockets: [endpoints.http, endpoints.https]
      .filter(port => port !== null)
      .map(port => ({ address: http.host, port })),
    localAddresses,
  })
}

/** What is wrong with a URL as a target, in words; null when it may be one. */
export function targetJudge(policy: TargetPolicy): (url: string) => string | null {
  return url => {
    const verdict = checkTargetUrl(url, policy)
    return verdict.ok ? null : REFUSAL_WORDS[verdict.reason]
  }
}

/** Empty if the system lists none, as on some phones; loopback and the configured host are still refused. */
export function localAddresses(interfaces = networkInterfaces): string[] {
  try {
    return Object.values(interfaces()).flatMap(addresses => (addresses ?? []).map(it => it.address))
  } catch {
    return []
  }
}
