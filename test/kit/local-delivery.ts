/** A deliverer that may connect to this machine, and receivers for it; both end with the test. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { Socket } from 'node:net'
import type { TestContext } from 'node:test'
import { type Behaviour, startReceiver } from '#test/kit/rogue-receiver.ts'
import type { KeyAndCertificate } from '#test/kit/self-signed.ts'
import {
  createDeliverer,
  type DelivererOptions,
  type DeliveryTarget,
} from '#transport/notification/deliver.ts'
import { createTargetPolicy, type TargetPolicySettings } from '#transport/notification/target-guard.ts'

export const LOCAL: TargetPolicySettings = {
  allowedHosts: ['127.0.0.1'],
  allowPrivate: true,
  ownSockets: [],
  localAddresses: () => [],
}

/** A timeout for which tests wait. A shorter one could end too early on a busy machine. */
export const SHORT_MS = 1_500

export function localDeliverer(t: TestContext, options: Partial<DelivererOptions> = {}) {
  const policy = createTargetPolicy(LOCAL)
  const deliverer = createDeliverer({ policy: () => policy, version: '1.2.3', ...options })
  t.after(() => deliverer.close())
  return deliverer
}

export async function localReceiver(t: TestContext, behave: Behaviour, tls?: KeyAndCertificate) {
  const receiver = await startReceiver(behave, tls)
  t.after(() => receiver.close())
  return receiver
}

/** The connections that deliverers of this process open from now on. Each knows how many bytes it read. */
export function watchConnections(t: TestContext): readonly Socket[] {
  const sockets: Socket[] = []
  const keep = (message: unknown) => sockets.push((message as { readonly socket: Socket }).socket)
  subscribe('undici:client:connected', keep)
  t.after(() => unsubscribe('undici:client:connected', keep))
  return sockets
}

export function notificationTo(url: string): DeliveryTarget {
  return { url, headers: { 'content-type': 'application/json', 'x-webhook-id': 'ntf_1' }, body: '{"é":1}' }
}
