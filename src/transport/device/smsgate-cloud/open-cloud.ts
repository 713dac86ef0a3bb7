import type { SocketEffect } from '#contracts/thread-frames.ts'
import type { CloudPorts } from '#transport/device/smsgate-cloud/cloud-ports.ts'
import { cloudRoutes } from '#transport/device/smsgate-cloud/cloud-routes.ts'
import { CloudSecrets } from '#transport/device/smsgate-cloud/cloud-secrets.ts'
import { PollPresence, type PresencePorts } from '#transport/device/smsgate-cloud/poll-presence.ts'
import type { Route } from '#transport/http/route.ts'

export interface Cloud {
  readonly routes: readonly Route[]
  /** Carries out orders that the writer has committed. */
  apply(effects: readonly SocketEffect[]): void
  close(): void
}

/**
 * Opens SMSGate's cloud-server mode on one listener, without its event streams. `key`: the key from which
 * its secrets are derived.
 */
export function openCloud(
  ports: PresencePorts & Omit<CloudPorts, 'secrets' | 'presence'> & { readonly key: Uint8Array },
): Cloud {
  const presence = new PollPresence(ports)
  return {
    routes: cloudRoutes({ ...ports, presence, secrets: new CloudSecrets(ports.key) }),
    apply: effects => presence.apply(effects),
    close: () => presence.close(),
  }
}
