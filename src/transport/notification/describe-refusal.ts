import type { TargetRefusal } from '#transport/notification/target-guard.ts'

const LIST_IT = 'if you want this target, list its host in notifications.allowed_hosts of the configuration'
const LIST_IT_OR_TRY = `${LIST_IT}; a sandbox message may name it as its webhookUrl`

/** The message for each reason to refuse a URL as a target: what is wrong, and the fix. */
export const REFUSAL_MESSAGES: Readonly<Record<TargetRefusal, string>> = {
  malformed: 'is not a URL: write it like https://example.com/hook',
  scheme: 'must begin with http:// or https://',
  credentials: 'must not contain a user name or password: verify the signature instead',
  port: 'must not have the port 0',
  'local-name': `names this machine: ${LIST_IT_OR_TRY}`,
  metadata: `leads to a cloud metadata service, which gives out credentials: ${LIST_IT}`,
  'own-socket': 'leads to this gateway itself: name the host and port of your receiver',
  neighbour: 'leads to a service beside this gateway, such as etcd or a broker, which is never a target',
  private: `is a private address, and notifications.allow_private is false: ${LIST_IT}`,
  unspecified: `is an unspecified address, which leads to this machine: ${LIST_IT}`,
  loopback: `is a loopback address, which leads to this machine: ${LIST_IT_OR_TRY}`,
  'link-local': `is a link-local address: ${LIST_IT}`,
  multicast: `is a multicast address: ${LIST_IT}`,
  broadcast: `is a broadcast address: ${LIST_IT}`,
  reserved: `is a reserved address, which leads nowhere: ${LIST_IT}`,
}
