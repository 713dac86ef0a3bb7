import { ConfigFault, type ConfigSources, type LoadedConfig, loadConfig } from '#app/config/config-file.ts'
import { DirectoryProblem, findDataDirectory } from '#app/config/find-data-directory.ts'
import type { ConfigurationFacts, GatewayProcessFacts } from '#domain/doctor/facts.ts'

export interface SeenConfiguration {
  readonly loaded: LoadedConfig
  readonly facts: ConfigurationFacts
}

/** Loads the configuration. A faulty one is examined with defaults in place of its faults. */
export function lookAtConfiguration(sources: ConfigSources): SeenConfiguration {
  try {
    return seen(loadConfig(sources), [])
  } catch (error) {
    if (error instanceof ConfigFault) return seen(error.usable, error.issues)
    throw error
  }
}

function seen(loaded: LoadedConfig, faults: ConfigurationFacts['faults']): SeenConfiguration {
  const { file, unknownVariables } = loaded
  return { loaded, facts: { file, faults, unknownVariables } }
}

/**
 * Finds the data directory. `path` null: there is none, or the user may not read it; `unreachable` says why.
 */
export function lookForData(
  loaded: LoadedConfig,
  cwd: string,
): { readonly path: string | null; readonly unreachable: GatewayProcessFacts['unreachable'] } {
  try {
    return { path: findDataDirectory({ loaded, cwd, mayCreate: false }), unreachable: null }
  } catch (error) {
    if (!(error instanceof DirectoryProblem)) throw error
    return { path: null, unreachable: { message: capital(error.reason), fix: capital(error.fix) } }
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}
