/** Overrides of the configuration by the environment: `ROOST_HTTP__PORT=8080` is `http.port = 8080`. */
import { parse } from 'smol-toml'
import { isTable, suggestName, type Table } from '#app/config/config-table.ts'
import { CONFIG_DEFAULTS, PLANS_BUILT_IN } from '#contracts/config.ts'
import type { Issue } from '#contracts/problem.ts'

const PREFIX = 'ROOST_'
/**
 * Variables with the prefix that do not belong to the configuration: the `exec` driver gives them to its
 * command, tests use ROOST_BINARY, and commands read the passwords of phones.
 */
const OTHERS = new Set([
  'ROOST_PHONE_NUMBER',
  'ROOST_MESSAGE',
  'ROOST_MESSAGE_ID',
  'ROOST_ATTEMPT',
  'ROOST_SEGMENTS',
  'ROOST_SIM_SLOT',
  'ROOST_BINARY',
  'ROOST_PHONE_PASSWORD',
  'ROOST_RINGER_PASSWORD',
])

export interface EnvironmentRead {
  readonly table: Table
  /** Key path → the variable that set it. */
  readonly variables: ReadonlyMap<string, string>
  readonly issues: readonly Issue[]
  /**
   * Variables with the prefix and without a double underscore that match no section or key. They may belong
   * to another program.
   */
  readonly unknownVariables: readonly string[]
}

/** Reads the configuration keys that environment variables set. */
export function readEnvironment(env: NodeJS.ProcessEnv): EnvironmentRead {
  const table: Table = {}
  const variables = new Map<string, string>()
  const issues: Issue[] = []
  const unknownVariables: string[] = []
  for (const [variable, text] of Object.entries(env).sort()) {
    if (!variable.startsWith(PREFIX) || OTHERS.has(variable) || text === undefined) continue
    const keys = variable.slice(PREFIX.length).toLowerCase().split('__')
    const defaultValue = defaultAt(keys)
    if (defaultValue === undefined && keys.length === 1 && !isKeyOfSomeSection(keys[0])) {
      unknownVariables.push(variable)
      continue
    }
    if (defaultValue === undefined || isTable(defaultValue)) {
      issues.push({ path: variable, message: describeUnknown(keys) })
      continue
    }
    put(table, keys, readValue(text, defaultValue))
    variables.set(keys.join('.'), variable)
  }
  return { table, variables, issues, unknownVariables }
}

/** The default of the key at this path; undefined: no such key. New plans have the defaults of `free`. */
function defaultAt(keys: readonly string[]): unknown {
  const [first, name] = keys
  const isNewPlan = first === 'plans' && name !== undefined && !Object.hasOwn(PLANS_BUILT_IN, name)
  const path = isNewPlan ? ['plans', 'free', ...keys.slice(2)] : keys
  return path.reduce<unknown>(
    (at, key) => (isTable(at) && Object.hasOwn(at, key) ? at[key] : undefined),
    CONFIG_DEFAULTS,
  )
}

/** Keys whose names are everyday words, so that such a variable may belong to another program. */
const EVERYDAY_KEYS: ReadonlySet<string> = new Set(['account', 'from', 'name', 'url', 'username'])

/**
 * Whether the variable names a key without its section, such as `ROOST_PORT` instead of `ROOST_HTTP__PORT`.
 * That is a mistake, and not a variable of another program.
 */
function isKeyOfSomeSection(key: string | undefined): boolean {
  const sections = Object.values({ ...CONFIG_DEFAULTS, plans: PLANS_BUILT_IN.free })
  if (key === undefined || EVERYDAY_KEYS.has(key)) return false
  return sections.some(section => isTable(section) && Object.hasOwn(section, key))
}

function readValue(text: string, defaultValue: unknown): unknown {
  if (typeof defaultValue === 'string') return text
  if (!Array.isArray(defaultValue) || text.trim().startsWith('[')) return tomlValue(text)
  return text
    .split(',')
    .map(part => part.trim())
    .filter(part => part !== '')
}

/** Parses a TOML value. Other text stays as it is; the schema then reports what the key expects. */
function tomlValue(text: string): unknown {
  try {
    return parse(`value = ${text.trim()}`)['value']
  } catch {
    return text
  }
}

function put(table: Table, keys: readonly string[], value: unknown): void {
  const [key, ...rest] = keys
  if (key === undefined) return
  if (rest.length === 0) {
    table[key] = value
    return
  }
  const inner = Object.hasOwn(table, key) ? table[key] : undefined
  const next: Table = isTable(inner) ? inner : {}
  table[key] = next
  put(next, rest, value)
}

function describeUnknown(keys: readonly string[]): string {
  const [first = '', ...rest] = keys
  if (first === 'plans') return 'names no configuration key; write it as ROOST_PLANS__<PLAN>__<KEY>'
  const section = rest.length > 0 ? defaultAt([first]) : undefined
  const suggestion = isTable(section)
    ? suggestName(rest.join('__'), Object.keys(section))
    : suggestName(first, Object.keys(CONFIG_DEFAULTS))
  return `names no configuration key (a double underscore separates section and key); ${suggestion}`
}
