/** What an owner does with a cluster: found it, join it, leave it, and found it again. */
import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { fetchAuthority } from '#agent/authority.ts'
import { machineNames } from '#app/certificate/machine-names.ts'
import { makeCertificate } from '#app/certificate/make-certificate.ts'
import { ClusterLog } from '#app/cluster/cluster-log.ts'
import { addressOf, openEtcd } from '#app/cluster/etcd-access.ts'
import { readInvitation } from '#app/cluster/invitation.ts'
import { takeCopy } from '#app/cluster/take-copy.ts'
import { openOwnStorage } from '#app/commands/open-own-storage.ts'
import type { ClusterState } from '#contracts/cluster.ts'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'
import { clusterProblems } from '#domain/health/cluster-rules.ts'
import { Problem } from '#domain/problem.ts'
import { sealEntry, TermKey } from '#storage/cluster-entry.ts'
import type { DataDirectory } from '#storage/data-directory.ts'
import { changeMembership, hashOfEntry, membershipOf } from '#storage/membership.ts'
import { MIGRATIONS } from '#storage/migrate.ts'
import { replaceSecret } from '#storage/secret-file.ts'

/** The first entry of a log: its predecessor is all zeros. */
const NO_HASH = new Uint8Array(32)
const JOIN_MS_MAX = 30_000

export interface DeskPorts {
  readonly config: Config
  readonly directory: DataDirectory
  readonly tell: (sentence: string) => void
}

/**
 * Founds a cluster with the data of this gateway. `replaces`: in place of an earlier one whose log is gone,
 * or is of another cluster. Returns the id of the cluster. The caller holds the lock, and has the database
 * closed.
 *
 * @throws Problem CONFLICT when the gateway is a member already, or etcd has a cluster
 */
export async function foundCluster(ports: DeskPorts, replaces: boolean): Promise<string> {
  const { directory, config } = ports
  const member = membershipOf(directory)
  if (member !== null && !replaces)
    throw new Problem('CONFLICT', `this gateway is a member of the cluster ${member.clusterId} already`)
  changeMembership(directory, null)
  // Migrates the database, and makes it one if this is the first start.
  openOwnStorage(directory, ports).close()
  const clusterId = `clu_${randomBytes(12).toString('hex')}`
  const clusterKey = randomBytes(32)
  const term = new TermKey(clusterKey, randomBytes(16))
  const entry = {
    kind: 'lead',
    schema: MIGRATIONS.length,
    previous: NO_HASH,
    body: Buffer.from('founded'),
  } as const
  const first = sealEntry(term, { clusterId, number: 1 }, entry)
  replaceSecret(directory.clusterKey, clusterKey)
  const isFounded = await withLog(config, log => log.found(clusterId, first, replaces))
  if (!isFounded) {
    if (member !== null) changeMembership(directory, member)
    throw new Problem(
      'CONFLICT',
      replaces
        ? 'a gateway leads a cluster in this etcd: stop it first, or join it'
        : 'etcd has a cluster already: join it (roost cluster invite on the gateway that leads). If ' +
            'that cluster is gone for good, run roost cluster recover on the gateway that has the most',
    )
  }
  changeMembership(directory, { clusterId, entry: 1, hash: hashOfEntry(first) })
  return clusterId
}

/**
 * Takes a copy of the cluster's data, and moves what is here aside. Returns the name of that folder; null:
 * there was nothing.
 *
 * @throws Problem CONFLICT when the gateway is a member, INVALID_REQUEST when the code is none
 */
export async function joinCluster({ directory, config }: DeskPorts, code: string): Promise<string | null> {
  const member = membershipOf(directory)
  if (member !== null)
    throw new Problem(
      'CONFLICT',
      `this gateway is a member of the cluster ${member.clusterId}: leave it first`,
    )
  const { url, fingerprint, token } = readInvitation(code)
  const signal = AbortSignal.timeout(JOIN_MS_MAX)
  const aside = await fetchAuthority({ server: url, fingerprint }, signal)
    .then(authority => takeCopy(directory, { url, authority, token }))
    .catch(error => {
      throw new Problem('SERVICE_UNAVAILABLE', `the copy could not be taken from ${url}: ${messageOf(error)}`)
    })
  await renewCertificate(directory, config)
  return aside
}

/**
 * Makes this machine's own certificate, from the authority that all members share, if the gateway serves one.
 */
export async function renewCertificate(
  directory: DataDirectory,
  config: Config,
  when: 'always' | 'if missing' = 'always',
): Promise<void> {
  const { tls_port, tls_cert_file } = config.http
  const isOwn = tls_port > 0 && (tls_cert_file === '' || tls_cert_file === directory.certificate)
  if (!isOwn || (when === 'if missing' && existsSync(directory.certificate))) return
  await makeCertificate(directory, { names: machineNames(addressOf(config).url), nowMs: Date.now() })
}

/**
 * Ends the membership. The data stays. The last member takes the log with it. Returns the id of the cluster.
 *
 * @throws Problem CONFLICT when the gateway is no member
 */
export async function leaveCluster({ directory, config }: DeskPorts): Promise<string> {
  const member = membershipOf(directory)
  if (member === null) throw new Problem('CONFLICT', 'this gateway is a member of no cluster')
  const { name } = addressOf(config)
  await withLog(config, async log => {
    const { id, members } = await log.look(member.entry)
    if (id !== member.clusterId) return
    await log.forget(name)
    if (members.every(one => one.name === name)) await log.dissolve()
  })
  changeMembership(directory, null)
  return member.clusterId
}

/** The cluster as a gateway sees it that does not run. */
export async function lookAtCluster({ directory, config }: DeskPorts): Promise<ClusterState> {
  const member = membershipOf(directory)
  const look = await withLog(config, log => log.look(member?.entry ?? 1)).catch(() => null)
  const { name } = addressOf(config)
  const since = Date.now()
  const lagging = [{ name, since, cause: 'it does not run' }]
  return {
    id: member?.clusterId ?? null,
    name,
    role: 'waiting',
    leader: look?.leader ? { name: look.leader.name, url: look.leader.url } : null,
    quorum: look !== null,
    log: { head: look?.head ?? 0, applied: member?.entry ?? 0 },
    members: (look?.members ?? []).map(({ modRevision: _, ...one }) => one),
    problems: clusterProblems({ lagging, aloneSince: null, noQuorumSince: look === null ? since : null }),
  }
}

async function withLog<T>(config: Config, use: (log: ClusterLog) => Promise<T>): Promise<T> {
  const etcd = openEtcd(config)
  try {
    return await use(new ClusterLog(etcd))
  } catch (cause) {
    throw new Problem(
      'SERVICE_UNAVAILABLE',
      `etcd does not answer at ${config.cluster.etcd.join(', ')}: ${String(cause)}`,
    )
  } finally {
    await etcd.close()
  }
}
