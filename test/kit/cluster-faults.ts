/** What happens to a cluster, in rounds of `kill-cluster.ts`. */
import type { Boxes } from '#test/kit/boxes.ts'
import type { ClusterRig } from '#test/kit/cluster-rig.ts'
import type { Random } from '#test/kit/random.ts'
import { realPause } from '#test/kit/real-pause.ts'

/** What a fault does; the returned function ends it. */
type Fault = (rig: ClusterRig, dice: Random) => Promise<() => void | Promise<void>>

const leaderOf = (rig: ClusterRig) => rig.address.leader ?? 0
const followerOf = (rig: ClusterRig, dice: Random) =>
  (leaderOf(rig) + 1 + dice.below(rig.size - 1)) % rig.size

export const PROCESS_FAULTS: Readonly<Record<string, Fault>> = {
  'leader killed': async rig => {
    const leader = leaderOf(rig)
    await rig.kill(leader)
    return () => rig.run(leader)
  },
  'leader killed and restarted at once': async rig => {
    rig.signal(leaderOf(rig), 'SIGKILL')
    return () => undefined
  },
  'leader stopped for a while': async rig => {
    const leader = leaderOf(rig)
    rig.signal(leader, 'SIGSTOP')
    return () => rig.signal(leader, 'SIGCONT')
  },
  'leader ends in order': async rig => {
    const leader = leaderOf(rig)
    await rig.kill(leader, 'SIGTERM')
    return () => rig.run(leader)
  },
  'leader and etcd’s leader killed': async rig => {
    const [leader, member] = [leaderOf(rig), await rig.etcd.leader()]
    await Promise.all([rig.kill(leader), rig.etcd.kill(member)])
    return () => {
      rig.etcd.run(member)
      rig.run(leader)
    }
  },
  'etcd’s leader killed': async rig => {
    const member = await rig.etcd.leader()
    await rig.etcd.kill(member)
    return () => rig.etcd.run(member)
  },
  'etcd’s leader stopped': async rig => {
    const member = await rig.etcd.leader()
    rig.etcd.stop(member)
    return () => rig.etcd.run(member)
  },
  'follower killed': async (rig, dice) => {
    const follower = followerOf(rig, dice)
    await rig.kill(follower)
    return () => rig.run(follower)
  },
  'majority of etcd killed': async rig => {
    await Promise.all([rig.etcd.kill(0), rig.etcd.kill(1)])
    await realPause(5_000)
    for (const member of [0, 1]) rig.etcd.run(member)
    return () => undefined
  },
  'all gateways and etcd killed': async rig => {
    const all = Array.from({ length: rig.size }, (_, index) => index)
    await Promise.all([...all.map(index => rig.kill(index)), ...all.map(index => rig.etcd.kill(index))])
    for (const index of all) {
      rig.etcd.run(index)
      rig.run(index)
    }
    return () => undefined
  },
}

/** What happens to machines. */
export function boxFaults(boxes: Boxes): Readonly<Record<string, Fault>> {
  /** Cuts their power, and starts their programs again. */
  const cutPower = async (rig: ClusterRig, indexes: readonly number[]) => {
    await boxes.cutPower(indexes, () =>
      Promise.all(indexes.flatMap(index => [rig.kill(index), rig.etcd.kill(index)])),
    )
    return () => {
      for (const index of indexes) {
        rig.etcd.run(index)
        rig.run(index)
      }
    }
  }
  return {
    'network of the leader cut': async rig => boxes.cut(leaderOf(rig)),
    'network of a follower cut': async (rig, dice) => boxes.cut(followerOf(rig, dice)),
    'disk of the leader full': async rig => {
      const leader = leaderOf(rig)
      const free = boxes.fill(leader)
      return () => {
        free()
        rig.etcd.run(leader)
      }
    },
    'disk of a follower full': async (rig, dice) => {
      const follower = followerOf(rig, dice)
      const free = boxes.fill(follower)
      return () => {
        free()
        rig.etcd.run(follower)
      }
    },
    'disk of the leader hangs': async rig => boxes.freeze(leaderOf(rig)),
    'power of the leader cut': rig => cutPower(rig, [leaderOf(rig)]),
    'power of all cut': async rig => {
      const start = await cutPower(rig, [...boxes.machines.keys()])
      start()
      return () => undefined
    },
  }
}
