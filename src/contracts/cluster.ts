/** A cluster: several gateways of which one leads, with one log of commits in etcd. */
import * as v from 'valibot'
import { HealthProblem } from '#contracts/health.ts'
import { noted } from '#contracts/noted.ts'

/**
 * How long a leader's lease lasts, seconds. If etcd's own leader dies, leases live up to twice as long, so a
 * longer one would break the promise of 15 s until another gateway goes on.
 */
export const LEASE_S = 4
/**
 * The leader trusts its lease for this long after it asked for it: shorter than etcd does, because the two
 * clocks may run at different speeds.
 */
export const LEASE_TRUSTED_MS = 3_500
/** Longest value of one entry of the log: etcd refuses requests above 1.5 MB. */
export const ENTRY_BYTES_MAX = 1_048_576

/** Headers of a piece of a copy: its id, and the bytes of the whole copy once it is made. */
export const COPY_ID_HEADER = 'x-roost-copy'
export const COPY_BYTES_HEADER = 'x-roost-copy-bytes'

export const CLUSTER_ROLES = ['leader', 'follower', 'waiting'] as const

const Address = v.object({
  name: noted(v.string(), 'The name of the gateway in the cluster.'),
  url: noted(v.string(), 'Its own address.'),
})

export const ClusterMember = v.object({
  ...Address.entries,
  applied: noted(v.number(), 'The last entry of the log in its copy.'),
  lastSeen: noted(v.string(), 'When it last reported, by its own clock, ISO 8601.'),
})
export type ClusterMember = v.InferOutput<typeof ClusterMember>

export const ClusterState = v.object({
  id: noted(v.nullable(v.string()), 'The id of the cluster; null: this gateway belongs to none.'),
  name: noted(v.string(), 'The name of this gateway.'),
  role: noted(
    v.picklist(CLUSTER_ROLES),
    'leader: it alone accepts and sends. follower: it keeps a copy. waiting: it needs help, see problems.',
  ),
  leader: noted(v.nullable(Address), 'The gateway that leads; null: none, or it cannot be asked.'),
  quorum: noted(v.boolean(), 'Whether a majority of etcd answers.'),
  log: v.object({
    head: noted(v.number(), 'The last entry of the log, as last seen.'),
    applied: noted(v.number(), 'The last entry in this copy.'),
  }),
  members: noted(v.array(ClusterMember), 'All gateways that joined.'),
  problems: noted(v.array(HealthProblem), 'Problems of the cluster.'),
})
export type ClusterState = v.InferOutput<typeof ClusterState>
export type ClusterAddress = v.InferOutput<typeof Address>
