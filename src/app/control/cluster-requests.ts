import * as v from 'valibot'

/** What a command line asks of a gateway's part in its cluster. */
export const ClusterRequest = v.variant('do', [
  v.object({ do: v.literal('status') }),
  v.object({ do: v.literal('create') }),
  v.object({ do: v.literal('invite') }),
  v.object({ do: v.literal('join'), code: v.pipe(v.string(), v.maxLength(2048)) }),
  v.object({ do: v.literal('leave') }),
  v.object({ do: v.literal('recover') }),
  /** Answered once etcd has the secrets as they are now. */
  v.object({ do: v.literal('share-secrets') }),
])
export type ClusterRequest = v.InferOutput<typeof ClusterRequest>

/** The request of the control socket that carries one. */
export const CLUSTER_REQUEST = 'gateway.cluster'
