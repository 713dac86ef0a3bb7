/**
 * Reloads the configuration while the gateway runs, and passes it to all threads. Connections stay open. A
 * faulty configuration changes nothing: the gateway keeps the old one and reports the faults.
 */

import { compareConfigs } from '#app/config/compare-configs.ts'
import { ConfigFault } from '#app/config/config-file.ts'
import type { Log } from '#app/log.ts'
import type { ServiceReport } from '#app/service/service-report.ts'
import type { Config } from '#contracts/config.ts'
import { messageOf } from '#domain/cause.ts'

/** Requests for a reload, and the source of the new configuration. */
export interface ReloadSource {
  /** @throws ConfigFault */
  read(): Config
  /** Called with the configuration after the reload; port 0 is still 0 in it. */
  applied(config: Config): void
  /** Sets the function that each request for a reload calls. A request made earlier calls it at once. */
  onRequest(reload: () => void): void
}

/** A part of the gateway that uses the configuration. `reconfigure` returns what went wrong, or null. */
export interface Reconfigurable {
  reconfigure(config: Config): Promise<string | null>
}

export interface ReloaderPorts {
  readonly source: ReloadSource
  readonly log: Log
  readonly report: Pick<ServiceReport, 'reloading' | 'reloaded'>
  /** The parts, in the order in which they get the new configuration. */
  readonly parts: readonly Reconfigurable[]
}

export class Reloader {
  readonly #ports: ReloaderPorts
  /** The configuration as it was read, in which port 0 is still 0. */
  #read: Config
  /** The configuration in force. The free port that was found replaces the port 0. */
  #running: Config
  #reloading = false
  #isRequested = false

  constructor(ports: ReloaderPorts, { read, running }: { readonly read: Config; readonly running: Config }) {
    this.#ports = ports
    this.#read = read
    this.#running = running
  }

  /** Runs one reload at a time. Any number of requests during a reload cause one further reload. */
  async reload(): Promise<void> {
    this.#isRequested = true
    if (this.#reloading) return
    this.#reloading = true
    while (this.#isRequested) {
      this.#isRequested = false
      await this.#reloadOnce()
    }
    this.#reloading = false
  }

  async #reloadOnce(): Promise<void> {
    const { report, log } = this.#ports
    report.reloading()
    let advice: string | null
    try {
      advice = await this.#applyChanges()
    } catch (error) {
      const faults = error instanceof ConfigFault ? error.issues.map(it => `${it.path}: ${it.message}`) : []
      const cause = [messageOf(error), ...faults].join('; ')
      log.write('error', 'config.reload_failed', { cause })
      advice = `The configuration was not reloaded: ${cause}`
    }
    report.reloaded(advice)
  }

  /** Applies the new configuration. Returns what the owner has to do; null: nothing. */
  async #applyChanges(): Promise<string | null> {
    const { source, log, parts } = this.#ports
    const newConfig = source.read()
    // Compare the configurations as read, where port 0 equals 0. Then apply the changes to the one in force.
    const { config, changed, needRestart } = compareConfigs(this.#read, newConfig)
    this.#running = compareConfigs(this.#running, config).config
    this.#read = config
    source.applied(config)
    const faults: string[] = []
    for (const part of parts) {
      const fault = await part.reconfigure(this.#running)
      if (fault !== null) faults.push(fault)
    }
    log.write('info', 'config.reloaded', { changed: changed.join(' ') })
    if (needRestart.length > 0) log.write('warn', 'config.restart_needed', { keys: needRestart.join(' ') })
    for (const fault of faults) log.write('error', 'config.not_applied', { cause: fault })
    const restart = needRestart.length === 0 ? [] : [`Restart for: ${needRestart.join(', ')}`]
    const sentences = [...faults, ...restart]
    return sentences.length === 0 ? null : sentences.join('. ')
  }
}
