/**
 * Hosts an agent for each phone that the gateway connects to, in `PhoneThreads`: the devices of the kinds
 * `smsgate` and `modem` with an access file. An agent that ends is restarted with a growing delay. Hosting
 * begins in the constructor.
 */
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { neighboursOf } from '#app/config/neighbours.ts'
import { ownSocketUrl } from '#app/config/public-url.ts'
import type { Log } from '#app/log.ts'
import { knownModems, phonesWithoutModem } from '#app/phones/modem-owners.ts'
import type { Closer } from '#app/threads/closer.ts'
import { PhoneThreads } from '#app/threads/phone-threads.ts'
import type { WriterThread } from '#app/threads/writer-thread.ts'
import type { Writer } from '#contracts/commands.ts'
import type { Config } from '#contracts/config.ts'
import type { DeviceProtocol } from '#contracts/phone-orders.ts'
import type { HostedPhone } from '#contracts/thread-frames.ts'
import { causeOf } from '#domain/cause.ts'
import { capabilitiesOf } from '#domain/device/capabilities.ts'
import { type DataDirectory, dataDirectory } from '#storage/data-directory.ts'
import { phonesWithAccess, readAccess, removePhoneAccess } from '#storage/phone-access-file.ts'

/** A hosted agent that ended is restarted after a time that doubles from the first value to the second. */
export const PHONE_RESTART_MS_MIN = 250
const PHONE_RESTART_MS_MAX = 60_000
/**
 * A hosted agent that has not stopped after this time is terminated. No state is lost: the journal has it.
 */
const PHONE_STOP_MS_MAX = 12_000

interface ReachedPhonesPorts {
  readonly config: Config
  readonly log: Log
  readonly writer: Writer
  readonly writerThread: Pick<WriterThread, 'onReachedPhones'>
  /** Another entry file for the threads, for tests. */
  readonly entry: string | undefined
  /** Whether this gateway leads its cluster; null: it is in none. */
  readonly leadership?: SharedArrayBuffer | null
}

interface Hosted {
  readonly phone: HostedPhone
  /** Resolves when the running agent has ended. Null: no agent runs. */
  ended: Promise<void> | null
  /** Consecutive starts after which the agent soon ended. */
  failures: number
  startedMs: number
  timer: NodeJS.Timeout | undefined
}

/** What the log says of a phone to which the gateway cannot connect. */
const LACKED = {
  password: [
    'phone.access_missing',
    'the password file of this phone is missing in secrets/: remove the phone and add it again',
  ],
  modem: ['phone.modem_taken', 'an older phone uses this modem or its SIM: remove one of the two'],
} as const
type Lacks = keyof typeof LACKED

/** The access file of a new phone appears a moment after its device. After this time it counts as missing. */
const ACCESS_MISSING_MS_MIN = 2_000

class ReachedPhones {
  readonly #ports: ReachedPhonesPorts
  readonly #directory: DataDirectory
  readonly #threads: PhoneThreads
  readonly #hosted = new Map<string, Hosted>()
  /** Phones of which it was said that the gateway lacks something to connect to them. */
  readonly #lacking = new Map<string, Lacks>()
  #config: Config
  #running: Promise<void> | null = null
  #isDue = false
  #stopped = false
  #retry: NodeJS.Timeout | undefined
  #retryMs = PHONE_RESTART_MS_MIN

  constructor(ports: ReachedPhonesPorts) {
    this.#ports = ports
    this.#threads = new PhoneThreads(ports)
    this.#config = ports.config
    this.#directory = dataDirectory(ports.config.data_dir)
    ports.writerThread.onReachedPhones = () => this.#changed()
    this.#changed()
  }

  /** Starts `#reconcile`, or repeats a running one once it is done. */
  #changed(): void {
    this.#isDue = true
    if (this.#running !== null || this.#stopped) return
    this.#running = this.#reconcile().finally(() => {
      this.#running = null
      if (this.#isDue) this.#changed()
    })
  }

  async reconfigure(config: Config): Promise<null> {
    this.#config = config
    this.#changed()
    return null
  }

  async stop(): Promise<void> {
    this.#stopped = true
    this.#isDue = false
    clearTimeout(this.#retry)
    await this.#running
    await Promise.all([...this.#hosted.keys()].map(deviceId => this.#end(deviceId)))
  }

  /** Makes the hosted agents match the devices and their access files. */
  async #reconcile(): Promise<void> {
    this.#isDue = false
    const { writer, log } = this.#ports
    try {
      // Read the files before the list. In the other order, a phone that is added in between would have a
      // file and not be in the list, and would be forgotten.
      const known = new Set([...this.#hosted.keys(), ...phonesWithAccess(this.#directory)])
      const devices = await writer.ask('device.list', { accountId: null })
      const wanted = new Map(
        devices.filter(({ kind }) => this.#isHosted(kind)).map(one => [one.deviceId, one.name]),
      )
      const ids = new Set(devices.map(one => one.deviceId))
      const without = phonesWithoutModem(await knownModems({ writer, directory: this.#directory }))
      for (const deviceId of without) {
        wanted.delete(deviceId)
        await this.#noteLack(deviceId, 'modem')
      }
      for (const deviceId of known) {
        if (!ids.has(deviceId)) await this.#forget(deviceId)
        else if (!wanted.has(deviceId)) await this.#end(deviceId)
      }
      let isMissing = false
      for (const [deviceId, name] of wanted) {
        const isHosted = await this.#host(deviceId, name)
        if (!isHosted) isMissing = true
      }
      this.#retryLater(isMissing)
    } catch (error) {
      if (this.#stopped) return
      log.write('error', 'phone.hosting_failed', { cause: causeOf(error) })
      this.#retryLater(true)
    }
  }

  #isHosted(kind: DeviceProtocol): boolean {
    return capabilitiesOf(kind).isReached && (kind !== 'modem' || this.#config.devices.modems !== 'off')
  }

  /** Checks again later if an access file is missing: it appears a moment after its device. */
  #retryLater(isMissing: boolean): void {
    clearTimeout(this.#retry)
    if (!isMissing || this.#stopped) {
      this.#retryMs = PHONE_RESTART_MS_MIN
      return
    }
    this.#retry = setTimeout(() => this.#changed(), this.#retryMs)
    this.#retryMs = Math.min(PHONE_RESTART_MS_MAX, 2 * this.#retryMs)
  }

  /**
   * Hosts an agent for this device, unless one runs with the same data. False: the access file is missing.
   */
  async #host(deviceId: string, name: string): Promise<boolean> {
    const stored = readAccess(this.#directory, deviceId)
    if (stored === null) {
      if (this.#retryMs >= ACCESS_MISSING_MS_MIN) await this.#noteLack(deviceId, 'password')
      return false
    }
    if (this.#lacking.delete(deviceId))
      await this.#ports.writer.ask('phone.note-access', { deviceId, lacks: null })
    const { token, ...access } = stored
    const { data_dir: dataDir, devices } = this.#config
    const socketUrl = ownSocketUrl(this.#ports.config)
    const { leadership = null } = this.#ports
    const allowedHosts = devices.allowed_hosts
    const neighbours = neighboursOf(this.#config)
    const rules = { allowedHosts, neighbours, leadership }
    const phone = { deviceId, name, socketUrl, token, access, dataDir, ...rules }
    const held = this.#hosted.get(deviceId)
    if (held !== undefined && isSame(held.phone, phone)) return true
    if (held !== undefined) await this.#end(deviceId)
    const hosted: Hosted = { phone, ended: null, failures: 0, startedMs: 0, timer: undefined }
    this.#hosted.set(deviceId, hosted)
    this.#startAgent(hosted)
    return true
  }

  /** Says once, in the log and as the phone's trouble, what the gateway lacks to connect to it. */
  async #noteLack(deviceId: string, lacks: Lacks): Promise<void> {
    if (this.#lacking.get(deviceId) === lacks) return
    this.#lacking.set(deviceId, lacks)
    const [event, hint] = LACKED[lacks]
    this.#ports.log.write('error', event, { deviceId, hint })
    await this.#ports.writer.ask('phone.note-access', { deviceId, lacks })
  }

  #startAgent(hosted: Hosted): void {
    hosted.startedMs = performance.now()
    const ended = Promise.withResolvers<void>()
    hosted.ended = ended.promise
    this.#threads.host(hosted.phone, () => {
      hosted.ended = null
      ended.resolve()
      this.#restart(hosted)
    })
  }

  /** Restarts an agent that has ended, unless it was told to end. */
  #restart(hosted: Hosted): void {
    const { deviceId } = hosted.phone
    if (this.#stopped || this.#hosted.get(deviceId) !== hosted) return
    const wasSteady = performance.now() - hosted.startedMs >= PHONE_RESTART_MS_MAX
    hosted.failures = wasSteady ? 1 : hosted.failures + 1
    const delayMs = Math.min(PHONE_RESTART_MS_MAX, PHONE_RESTART_MS_MIN * 2 ** (hosted.failures - 1))
    this.#ports.log.write('warn', 'phone.restarting', { deviceId, delayMs })
    hosted.timer = setTimeout(() => this.#startAgent(hosted), delayMs)
  }

  /** Ends the agent of a phone. The agent first writes a call in progress to its journal. */
  async #end(deviceId: string): Promise<void> {
    const hosted = this.#hosted.get(deviceId)
    this.#hosted.delete(deviceId)
    clearTimeout(hosted?.timer)
    if (hosted?.ended == null) return
    this.#threads.end(deviceId)
    const timer = setTimeout(() => this.#threads.terminate(deviceId), PHONE_STOP_MS_MAX)
    await hosted.ended
    clearTimeout(timer)
  }

  async #forget(deviceId: string): Promise<void> {
    await this.#end(deviceId)
    this.#lacking.delete(deviceId)
    removePhoneAccess(this.#directory, deviceId)
    for (const suffix of ['.journal', '.phone', '.lock'])
      rmSync(join(this.#directory.phones, `${deviceId}${suffix}`), { force: true })
  }
}

/** Starts hosting phones; the closer stops it. */
export function startPhones(ports: ReachedPhonesPorts, closer: Closer): ReachedPhones {
  const phones = new ReachedPhones(ports)
  closer.add('phones', () => phones.stop())
  return phones
}

/** Whether at most the name differs. The agent then need not be restarted. */
function isSame(one: HostedPhone, other: HostedPhone): boolean {
  return JSON.stringify({ ...one, name: '' }) === JSON.stringify({ ...other, name: '' })
}
