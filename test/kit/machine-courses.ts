/** How each problem of the machine or its cluster begins and ends, and the text of its alarm. */
import type { MachineFacts } from '#contracts/health.ts'

interface Rig {
  readonly world: { readonly wallMs: number }
  readonly setMachine: (facts: Partial<MachineFacts>) => void
}

/** A cluster without problems. */
const WELL = { lagging: [], aloneSince: null, noQuorumSince: null }

export const MACHINE_COURSES = {
  BACKUP_FAILED: {
    raise: ({ world, setMachine }: Rig) =>
      setMachine({ backup: { failedSince: world.wallMs, cause: 'the disk is not mounted' } }),
    clear: ({ setMachine }: Rig) => setMachine({ backup: null }),
    text: /^The nightly backup fails: the disk is not mounted/,
  },
  DATABASE_DAMAGED: {
    raise: ({ world, setMachine }: Rig) =>
      setMachine({ damage: { foundAt: world.wallMs, cause: 'the database is damaged (Tree 7)' } }),
    clear: ({ setMachine }: Rig) => setMachine({ damage: null }),
    text: /^A check found that the database is damaged \(Tree 7\)/,
  },
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
