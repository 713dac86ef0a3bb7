import { execFile } from 'node:child_process'
import { statSync } from 'node:fs'

const TIMEDATECTL_MS_MAX = 3_000
/** systemd-timesyncd touches this file each time that it has corrected the clock. */
const TOUCHED_FILE = '/run/systemd/timesync/synchronized'

export interface TimeServerPorts {
  readonly file?: string
  /** What `timedatectl show` prints; null: it is not installed, or does not answer. */
  readonly askTimedatectl?: () => Promise<string | null>
}

/** Whether the machine says that a time server keeps its clock right. */
export class TimeServer {
  readonly #ports: Required<TimeServerPorts>
  #touchedMs = 0

  constructor(ports: TimeServerPorts = {}) {
    this.#ports = { file: TOUCHED_FILE, askTimedatectl, ...ports }
  }

  /**
   * `timedatectl` knows it of any time service, and also that the clock was set by hand since. In a container
   * there may be only the file. It stays when the clock is set, so it counts again once it is touched again.
   */
  async isSynchronised(): Promise<boolean> {
    const { file, askTimedatectl } = this.#ports
    const answer = /^NTPSynchronized=(yes|no)$/m.exec((await askTimedatectl()) ?? '')?.[1]
    if (answer !== undefined) return answer === 'yes'
    const touchedMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? this.#touchedMs
    const isTouched = touchedMs !== this.#touchedMs
    this.#touchedMs = touchedMs
    return isTouched
  }
}

function askTimedatectl(): Promise<string | null> {
  const args = ['show', '--property=NTPSynchronized']
  return new Promise(resolve => {
    execFile('timedatectl', args, { timeout: TIMEDATECTL_MS_MAX }, (error, stdout) =>
      resolve(error === null ? stdout : null),
    )
  })
}
