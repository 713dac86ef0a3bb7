/** Installs, removes and inspects the service on this machine. */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import {
  POLKIT_RULE_TEXT,
  SERVICE_BACKUP_DIR,
  SERVICE_CACHE_DIR,
  SERVICE_CONFIG,
  SERVICE_CONFIG_TEXT,
  SERVICE_DATA_DIR,
  SERVICE_USER,
  SYSUSERS_TEXT,
  unitText,
} from '#app/service/service-files.ts'
import { Problem } from '#domain/problem.ts'

const UNIT = 'roost.service'
const OWN_UNIT = `/etc/systemd/system/${UNIT}`
/** Paths of the Debian package's unit. On a system with merged /usr, both are the same file. */
const PACKAGED_UNITS = [`/usr/lib/systemd/system/${UNIT}`, `/lib/systemd/system/${UNIT}`]
const SYSUSERS = '/etc/sysusers.d/roost.conf'
const POLKIT_RULE = '/etc/polkit-1/rules.d/roost.rules'
/** Directories that the unit hides from the service (ProtectHome=, PrivateTmp=). */
const HIDDEN = /^\/(home|root|run\/user|tmp|var\/tmp)\//
const PROPERTIES = [
  'LoadState',
  'ActiveState',
  'SubState',
  'UnitFileState',
  'StatusText',
  'MainPID',
  'NRestarts',
  'WatchdogUSec',
  'FragmentPath',
] as const

export interface CommandResult {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

export interface ServicePorts {
  /** The words that start this program. */
  readonly program: readonly string[]
  readonly uid: number
  /** Prefix of every path, for tests. */
  readonly root?: string
  readonly run?: (command: string, args: readonly string[]) => CommandResult
}

export interface InstalledFiles {
  readonly unit: string
  readonly config: string
  readonly dataDir: string
  readonly user: string
}

export interface ServiceState {
  readonly installed: boolean
  readonly running: boolean
  /** Whether the service starts with the machine. */
  readonly enabled: boolean
  /** The state in systemd's words, such as `active (running)`. */
  readonly state: string
  /** The status line that the gateway reports. */
  readonly status: string
  readonly pid: number | null
  /** How often systemd restarted the service after it ended by itself. */
  readonly restarts: number
  /** Whether systemd restarts a gateway that hangs. */
  readonly watchdog: boolean
  readonly unit: string | null
}

export class ServiceInstallation {
  readonly #ports: Required<ServicePorts>

  constructor(ports: ServicePorts) {
    this.#ports = { root: '', run, ...ports }
  }

  /** Makes user, unit and configuration, and starts the service. @throws Problem FORBIDDEN, CONFLICT */
  install(): InstalledFiles {
    this.#checkCanChange('install')
    this.#checkNotPackaged()
    this.#checkIsReachable()
    this.#write(SYSUSERS, SYSUSERS_TEXT)
    if (existsSync(this.#at(dirname(POLKIT_RULE)))) this.#write(POLKIT_RULE, POLKIT_RULE_TEXT)
    if (!existsSync(this.#at(SERVICE_CONFIG))) this.#write(SERVICE_CONFIG, SERVICE_CONFIG_TEXT)
    this.#write(OWN_UNIT, unitText(this.#ports.program))
    this.#run('systemd-sysusers', this.#at(SYSUSERS))
    const owner = ['-o', SERVICE_USER, '-g', SERVICE_USER]
    this.#run('install', '-d', '-m', '0700', ...owner, this.#at(SERVICE_BACKUP_DIR))
    this.#run('systemctl', 'daemon-reload')
    this.#run('systemctl', 'enable', UNIT)
    // Restart, not start, so that an update takes effect at once.
    this.#run('systemctl', 'restart', UNIT)
    return { unit: OWN_UNIT, config: SERVICE_CONFIG, dataDir: SERVICE_DATA_DIR, user: SERVICE_USER }
  }

  /**
   * Stops the service and removes its unit and its cache. Data and configuration stay.
   *
   * @throws Problem FORBIDDEN, NOT_FOUND, CONFLICT
   */
  remove(): { readonly kept: readonly string[] } {
    this.#checkCanChange('remove')
    this.#checkNotPackaged()
    if (!existsSync(this.#at(OWN_UNIT)))
      throw new Problem('NOT_FOUND', 'the service is not installed; to install it: roost service install')
    this.#run('systemctl', 'disable', '--now', UNIT)
    for (const path of [OWN_UNIT, SYSUSERS, POLKIT_RULE, SERVICE_CACHE_DIR])
      rmSync(this.#at(path), { force: true, recursive: true })
    this.#run('systemctl', 'daemon-reload')
    return { kept: [SERVICE_DATA_DIR, dirname(SERVICE_CONFIG)] }
  }

  /** @throws Problem CONFLICT on a machine without systemd */
  state(): ServiceState {
    this.#checkSystemd()
    const shown = this.#run('systemctl', 'show', UNIT, `--property=${PROPERTIES.join(',')}`)
    const found = new Map(
      shown.split('\n').map(line => [line.split('=', 1)[0] ?? '', line.replace(/^[^=]*=/, '')]),
    )
    const read = (key: (typeof PROPERTIES)[number]) => found.get(key) ?? ''
    return {
      installed: read('LoadState') === 'loaded',
      running: read('ActiveState') === 'active',
      enabled: read('UnitFileState') === 'enabled',
      state: `${read('ActiveState')} (${read('SubState')})`,
      status: read('StatusText'),
      pid: Number(read('MainPID')) || null,
      restarts: Number(read('NRestarts')) || 0,
      // systemd prints a time span (`2min`), or one of these values for no watchdog.
      watchdog: !['', '0', 'infinity'].includes(read('WatchdogUSec')),
      unit: read('FragmentPath') || null,
    }
  }

  #checkCanChange(verb: string): void {
    this.#checkSystemd()
    if (this.#ports.uid !== 0)
      throw new Problem('FORBIDDEN', `only root may change services: run: sudo roost service ${verb}`)
  }

  /** @see https://www.freedesktop.org/software/systemd/man/latest/sd_booted.html */
  hasSystemd(): boolean {
    return existsSync(this.#at('/run/systemd/system'))
  }

  #checkSystemd(): void {
    if (this.hasSystemd()) return
    throw new Problem(
      'CONFLICT',
      'systemd does not run here: start roost serve by another service manager or in a container',
    )
  }

  #checkNotPackaged(): void {
    const packaged = PACKAGED_UNITS.find(file => existsSync(this.#at(file)))
    if (packaged === undefined) return
    throw new Problem(
      'CONFLICT',
      `the Debian package has installed the service (${packaged}): manage it with systemctl and apt`,
    )
  }

  #checkIsReachable(): void {
    const hidden = this.#ports.program.find(word => HIDDEN.test(word))
    if (hidden === undefined) return
    throw new Problem(
      'CONFLICT',
      `the service cannot see ${hidden}: put the program into /usr/local/bin and install from there`,
    )
  }

  #write(path: string, text: string): void {
    const file = this.#at(path)
    mkdirSync(dirname(file), { recursive: true, mode: 0o755 })
    if (existsSync(file) && readFileSync(file, 'utf8') === text) return
    writeFileSync(file, text, { mode: 0o644 })
  }

  #run(command: string, ...args: readonly string[]): string {
    const { status, stdout, stderr } = this.#ports.run(command, args)
    if (status === 0) return stdout
    const reason = stderr.trim().split('\n')[0] || `exit code ${status}`
    const hint = command === 'systemctl' ? '; see: journalctl -u roost' : ''
    throw new Problem('CONFLICT', `${command} ${args.join(' ')} failed: ${reason}${hint}`)
  }

  #at(path: string): string {
    return join('/', this.#ports.root, path)
  }
}

function run(command: string, args: readonly string[]): CommandResult {
  const { status, stdout, stderr, error } = spawnSync(command, args, { encoding: 'utf8' })
  return { status, stdout, stderr: error === undefined ? stderr : error.message }
}
