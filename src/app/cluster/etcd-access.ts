import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { ClusterAddress } from '#contracts/cluster.ts'
import type { Config } from '#contracts/config.ts'
import { EtcdClient } from '#transport/etcd/etcd-client.ts'

/** This gateway as the others see it. */
export function addressOf({ cluster }: Config): ClusterAddress {
  return { name: cluster.name || hostname(), url: cluster.advertise_url.replace(/\/$/, '') }
}

/** @throws Error when a file cannot be read */
export function openEtcd({ cluster }: Config): EtcdClient {
  const read = (file: string) => (file === '' ? null : readFileSync(file, 'utf8'))
  const { etcd: endpoints, user, password_file } = cluster
  const password = read(password_file)?.trim() ?? ''
  return new EtcdClient({
    endpoints,
    ca: read(cluster.ca_file),
    cert: read(cluster.cert_file),
    key: read(cluster.key_file),
    user: user === '' ? null : { name: user, password },
  })
}
