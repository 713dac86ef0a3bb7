/** How each problem of a cluster begins and ends, and the text of its alarm. */
import type { MachineFacts } from '#contracts/health.ts'

interface Rig {
  readonly world: { readonly wallMs: number }
  readonly setMachine: (facts: Partial<MachineFacts>) => void
}

/** A cluster without problems. */
const WELL = { lagging: [], aloneSince: null, noQuorumSince: null }

export const CLUSTER_COURSES = {
  CLUSTER_LAGGING: {
    raise: ({ world, setMachine }: Rig) =>
      setMachine({
        cluster: { ...WELL, lagging: [{ name: 'gw2', since: world.wallMs, cause: 'it is behind' }] },
      }),
    clear: ({ setMachine }: Rig) => setMachine({ cluster: WELL }),
    text: /^The gateway gw2 of the cluster cannot go on for another: it is behind/,
  },
  CLUSTER_ALONE: {
    raise: ({ world, setMachine }: Rig) => setMachine({ cluster: { ...WELL, aloneSince: world.wallMs } }),
    clear: ({ setMachine }: Rig) => setMachine({ cluster: WELL }),
    text: /^No other gateway of the cluster is there/,
  },
  CLUSTER_NO_QUORUM: {
    raise: ({ world, setMachine }: Rig) => setMachine({ cluster: { ...WELL, noQuorumSince: world.wallMs } }),
    clear: ({ setMachine }: Rig) => setMachine({ cluster: WELL }),
    text: /^No majority of etcd answers/,
  },
} as const
