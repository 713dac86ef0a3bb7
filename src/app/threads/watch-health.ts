import type { Leader } from '#app/cluster/leader.ts'
import { withChosen } from '#app/config/chosen-configuration.ts'
import { HealthWatch, type HealthWatchPorts } from '#app/health/health-watch.ts'
import { Heartbeat, type HeartbeatPorts } from '#app/health/heartbeat.ts'
import type { Reconfigurable } from '#app/service/reloader.ts'
import type { Closer } from '#app/threads/closer.ts'
import type { NightlyBackups } from '#app/threads/nightly-backups.ts'
import type { WriterThread } from '#app/threads/writer-thread.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'

type WatchPorts = HealthWatchPorts &
  HeartbeatPorts & {
    readonly backups: NightlyBackups
    readonly writerThread: Pick<WriterThread, 'onConfiguration'>
    readonly cluster: Leader | null
  }

/** Starts what looks after the gateway. Returns the parts that use the configuration. */
export async function watchHealth(ports: WatchPorts, closer: Closer): Promise<readonly Reconfigurable[]> {
  const { backups, cluster, config, writer, writerThread } = ports
  cluster?.watch(writer)
  const [health, heartbeat] = [new HealthWatch(ports), new Heartbeat(ports)]
  for (const part of [health, heartbeat]) closer.add('health', () => part.stop())
  const chosen = new Chosen(config, writer, [backups, heartbeat])
  writerThread.onConfiguration = () => void chosen.apply().catch(() => {})
  await chosen.apply()
  for (const part of [health, backups, heartbeat]) part.start()
  return [health, chosen]
}

/** Gives its parts what the owner chose at the API, under what the file and the environment say. */
class Chosen implements Reconfigurable {
  #config: Config
  readonly #writer: Writer
  readonly #parts: readonly Reconfigurable[]

  constructor(config: Config, writer: Writer, parts: readonly Reconfigurable[]) {
    this.#config = config
    this.#writer = writer
    this.#parts = parts
  }

  async reconfigure(config: Config): Promise<null> {
    this.#config = config
    await this.apply()
    return null
  }

  async apply(): Promise<void> {
    const { chosen } = await this.#writer.ask('configuration.find', {})
    const config = withChosen(this.#config, chosen)
    await Promise.all(this.#parts.map(part => part.reconfigure(config)))
  }
}
