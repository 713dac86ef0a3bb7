/**
 * A dead man's switch: calls the address of the owner's monitor each minute while no problem is critical. The
 * service behind it alerts the owner when the calls stop, for example without power or network, or when the
 * writer hangs.
 */
import { afterMs } from '#app/clock.ts'
import type { Leader } from '#app/cluster/leader.ts'
import { fixedKeys } from '#app/config/chosen-configuration.ts'
import { neighboursOf } from '#app/config/neighbours.ts'
import { targetPolicyOf } from '#app/config/target-policy.ts'
import type { Log } from '#app/log.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import { VERSION } from '#contracts/version.ts'
import type { Deliverer } from '#transport/notification/deliver.ts'
import { openDeliverer } from '#transport/notification/open-deliverer.ts'

/** Interval of the calls to `alarms.heartbeat_url`. */
export const HEARTBEAT_EVERY_MS = 60_000

/** The answer of healthchecks.io, with status 200, for a check that is unknown or called too often. */
const REJECTED = /^OK \((not found|rate limited)\)/
/** The log shows at most this many characters of an answer. */
const ANSWER_LENGTH_MAX = 100

export interface HeartbeatPorts {
  readonly config: Config
  readonly writer: Writer
  readonly log: Log
  /** The cluster that this gateway leads; null or absent: none. */
  readonly cluster?: Pick<Leader, 'state'> | null
  /** A timer that fires once; returns a function that cancels it. Default: `setTimeout`. */
  readonly after?: typeof afterMs
}

export class Heartbeat {
  readonly #ports: Omit<HeartbeatPorts, 'config'> & Required<Pick<HeartbeatPorts, 'after'>>
  #config: Config
  #deliverer: Deliverer
  #cancel = () => {}
  #isStarted = false
  /** Counts the addresses. */
  #round = 0
  #stopped = false
  /** Whether the last call was accepted. Only a change is logged. */
  #isAccepted = true

  constructor({ config, ...ports }: HeartbeatPorts) {
    this.#ports = { after: afterMs, ...ports }
    this.#config = config
    this.#deliverer = this.#delivererFor(config)
  }

  start(): void {
    this.#isStarted = true
    void this.#beat()
  }

  async reconfigure(config: Config): Promise<null> {
    const [before, { alarms }] = [this.#deliverer, this.#config]
    this.#config = config
    this.#deliverer = this.#delivererFor(config)
    if (this.#isStarted && alarms.heartbeat_url !== config.alarms.heartbeat_url) {
      this.#round += 1
      this.#cancel()
      void this.#beat()
    }
    await before.close()
    return null
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#cancel()
    await this.#deliverer.close()
  }

  async #beat(): Promise<void> {
    const round = this.#round
    const url = this.#config.alarms.heartbeat_url
    if (url !== '' && (await this.#isHealthy())) await this.#call(url)
    // Another address has a round of its own by now.
    if (!this.#stopped && round === this.#round)
      this.#cancel = this.#ports.after(() => void this.#beat(), HEARTBEAT_EVERY_MS)
  }

  /** True if the writer answers, and reports no critical problem. */
  async #isHealthy(): Promise<boolean> {
    const problems = await this.#ports.writer.ask('health.list', { accountId: null }).catch(() => null)
    return problems?.every(({ severity }) => severity !== 'critical') ?? false
  }

  /**
   * Calls the address. Logs the first failure and the recovery, but not the address, which may be a secret.
   */
  async #call(url: string): Promise<void> {
    const result = await this.#deliverer.deliver({ method: 'GET', url, headers: {}, body: '' })
    const { status, error } = result
    const answer = result.answer?.slice(0, ANSWER_LENGTH_MAX) ?? null
    const isAccepted = status !== null && status >= 200 && status < 300 && !REJECTED.test(answer ?? '')
    if (isAccepted === this.#isAccepted || this.#stopped) return
    this.#isAccepted = isAccepted
    if (isAccepted) this.#ports.log.write('info', 'heartbeat.recovered', {})
    else this.#ports.log.write('warn', 'heartbeat.failed', { status, error: error ?? null, answer })
  }

  /**
   * The address of the file may be on this machine or the local network. One that was chosen at the API obeys
   * the rules for notifications, and so also where its name leads to at each call.
   */
  #delivererFor(config: Config): Deliverer {
    const own = targetPolicyOf(config)
    if (!fixedKeys(config).includes('alarms.heartbeat_url')) {
      const members = () => this.#ports.cluster?.state().members.map(({ url }) => url) ?? []
      return openDeliverer({
        policy: () => ({ ...own, neighbours: neighboursOf(config, members()) }),
        version: VERSION,
      })
    }
    const host = URL.parse(config.alarms.heartbeat_url)?.hostname.replace(/^\[|\]$/g, '')
    const allowed = [...config.notifications.allowed_hosts, ...(host === undefined ? [] : [host])]
    const policy = targetPolicyOf({
      ...config,
      notifications: { allowed_hosts: allowed, allow_private: true },
    })
    return openDeliverer({ policy: () => policy, version: VERSION })
  }
}
