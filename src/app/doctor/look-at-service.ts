import { SERVICE_CONFIG, SERVICE_DATA_DIR } from '#app/service/service-files.ts'
import { ServiceInstallation, type ServicePorts } from '#app/service/service-installation.ts'
import type { Fact, ServiceFacts } from '#domain/doctor/facts.ts'
import { Problem } from '#domain/problem.ts'

export interface ServiceQuestion {
  readonly machine: ServicePorts
  readonly dataDir: string
  readonly configFile: string | null
  /** Process id of the running gateway; null: none runs. */
  readonly pid: number | null
}

/** Asks systemd about the service. Null: systemd does not run on this machine. */
export function lookAtService({
  machine,
  dataDir,
  configFile,
  pid,
}: ServiceQuestion): Fact<ServiceFacts> | null {
  const installation = new ServiceInstallation(machine)
  if (!installation.hasSystemd()) return null
  try {
    const { state, watchdog, unit: _, ...facts } = installation.state()
    // systemd restarts a gateway that has ended, so the state is rarely `failed`.
    const failed = state.startsWith('failed') || state === 'activating (auto-restart)'
    const isOurs = dataDir === SERVICE_DATA_DIR || configFile === SERVICE_CONFIG || facts.pid === pid
    return { ...facts, failed, hasWatchdog: watchdog, isOurs }
  } catch (error) {
    if (error instanceof Problem) return { unreadable: `The service cannot be examined: ${error.message}` }
    throw error
  }
}
