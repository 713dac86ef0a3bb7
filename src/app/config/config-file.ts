/**
 * Loads the configuration: the defaults, overridden by the file, then by the environment, then by the command
 * line. All faults are reported together, and a faulty configuration is not used at all. A plan that is not
 * built in takes missing keys from the configured plan `free`.
 */

import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { parse, TomlError } from 'smol-toml'
import * as v from 'valibot'
import { CHOSEN_SECTIONS } from '#app/config/chosen-configuration.ts'
import { readEnvironment } from '#app/config/config-environment.ts'
import { findRuleIssues } from '#app/config/config-rules.ts'
import { isTable, mergeTables, suggestName, type Table } from '#app/config/config-table.ts'
import { CONFIG_DEFAULTS, Config, PLANS_BUILT_IN, PlanConfig } from '#contracts/config.ts'
import type { Issue } from '#contracts/problem.ts'
import { messageOf } from '#domain/cause.ts'

/** Added to each syntax error, because the parser's reason does not say how to write the line. */
const TOML_REMEDY =
  'write each section once as [http], and each key below it as port = 8080, with text in quotes ' +
  '(host = "0.0.0.0") and lists in brackets (recipients = ["+14155550123"])'
const SYSTEM_FILE = '/etc/roost/config.toml'

export interface ConfigSources {
  /** Options of the command line. */
  readonly options: {
    readonly config?: string | undefined
    readonly data?: string | undefined
    readonly host?: string | undefined
    readonly port?: number | undefined
  }
  readonly env: NodeJS.ProcessEnv
  /** All relative paths start here, including those in the file. */
  readonly cwd: string
}

export interface LoadedConfig {
  readonly config: Config
  /** Null: there is no configuration file. */
  readonly file: string | null
  /** Whether the data directory was named explicitly. Then commands search no other directory. */
  readonly isDataDirGiven: boolean
  /** Environment variables with the prefix ROOST_ that were ignored. */
  readonly unknownVariables: readonly string[]
}

/** The configuration has faults and cannot be used. `issues` lists all of them. */
export class ConfigFault extends Error {
  readonly issues: readonly Issue[]
  /**
   * The configuration with defaults in place of its faults: for `roost doctor`, not to run a gateway with.
   */
  readonly usable: LoadedConfig

  constructor(issues: readonly Issue[], usable: LoadedConfig) {
    const { file } = usable
    const count = issues.length === 1 ? 'a fault' : `${issues.length} faults`
    super(`the configuration has ${count}${file === null ? '' : ` (${file})`}`)
    this.name = 'ConfigFault'
    this.issues = issues
    this.usable = usable
  }
}

/** @throws ConfigFault */
export function loadConfig({ options, env, cwd }: ConfigSources): LoadedConfig {
  const file = findFile(options.config, cwd)
  const written = file === null ? { table: {}, issues: [] } : readTable(file)
  const environment = readEnvironment(env)
  const configured = mergeTables(written.table, environment.table)
  const given = mergeTables(configured, tableOf(options))
  const isDataDirGiven = Object.hasOwn(given, 'data_dir')
  const whole = withPlans(mergeTables({ ...CONFIG_DEFAULTS }, given))
  const { known, issues: unknown } = dropUnknown(whole)
  const checked = check(known, cwd)
  const issues = [...written.issues, ...environment.issues, ...unknown, ...checked.issues]
  const fixed = fixedBy(given)
  const loaded = {
    config: { ...checked.config, ...(fixed.length > 0 && { fixed }) },
    file,
    isDataDirGiven,
    unknownVariables: environment.unknownVariables,
  }
  if (issues.length === 0) return loaded
  const named = issues.map(({ path, message }) => {
    const variable = environment.variables.get(path)
    return { path, message: variable === undefined ? message : `${message} (from ${variable})` }
  })
  throw new ConfigFault(named, loaded)
}

/** The keys of these sections that are said anywhere, such as `backup.keep_days`. */
function fixedBy(given: Table): readonly string[] {
  return CHOSEN_SECTIONS.flatMap(section => {
    const said = given[section]
    return isTable(said) ? Object.keys(said).map(key => `${section}.${key}`) : []
  })
}

/** The command line's options as a configuration table. */
function tableOf({ data, host, port }: ConfigSources['options']): Table {
  const http: Table = {}
  if (host !== undefined) http['host'] = host
  if (port !== undefined) http['port'] = port
  return { ...(data !== undefined && { data_dir: data }), ...(Object.keys(http).length > 0 && { http }) }
}

function findFile(given: string | undefined, cwd: string): string | null {
  if (given !== undefined) return resolve(cwd, given)
  return [resolve(cwd, 'config.toml'), SYSTEM_FILE].find(file => existsSync(file)) ?? null
}

function readTable(file: string): { table: Table; issues: readonly Issue[] } {
  try {
    return { table: parse(readFileSync(file, 'utf8')), issues: [] }
  } catch (error) {
    if (error instanceof TomlError) {
      const reason = (error.message.split('\n')[0] ?? '').replace('Invalid TOML document: ', '')
      const path = `line ${error.line}, column ${error.column}`
      return { table: {}, issues: [{ path, message: `is not TOML (${reason}): ${TOML_REMEDY}` }] }
    }
    const reason = messageOf(error)
    return { table: {}, issues: [{ path: file, message: `cannot be read: ${reason}` }] }
  }
}

/** Fills the missing keys of plans that are not built in from the configured plan `free`. */
function withPlans(whole: Table): Table {
  const { plans } = whole
  if (!isTable(plans)) return whole
  const configured = v.safeParse(PlanConfig, plans['free'])
  // A fault of `free` is reported once, not again for each plan that inherits it.
  const free: Table = { ...(configured.success ? configured.output : PLANS_BUILT_IN.free) }
  const filled = Object.entries(plans).map(([name, plan]) => {
    const isNew = !Object.hasOwn(PLANS_BUILT_IN, name)
    return [name, isNew && isTable(plan) ? mergeTables(free, plan) : plan]
  })
  return { ...whole, plans: Object.fromEntries(filled) }
}

/** Removes and reports all unknown keys. The schema would report only one for each table. */
function dropUnknown(whole: Table): { known: Table; issues: readonly Issue[] } {
  const issues: Issue[] = []
  const walk = (table: Table, model: Table, path: string): Table => {
    const known = Object.entries(table).flatMap(([key, value]) => {
      const at = `${path}${key}`
      const isPlan = path === 'plans.'
      if (!isPlan && !Object.hasOwn(model, key)) {
        issues.push({ path: at, message: unknownName(key, { value, model }) })
        return []
      }
      const inner = isPlan ? PLANS_BUILT_IN.free : model[key]
      return [[key, isTable(value) && isTable(inner) ? walk(value, inner, `${at}.`) : value] as const]
    })
    return Object.fromEntries(known)
  }
  return { known: walk(whole, { ...CONFIG_DEFAULTS }, ''), issues }
}

function unknownName(
  key: string,
  { value, model }: { readonly value: unknown; readonly model: Table },
): string {
  const names = Object.keys(model)
  if (!isTable(value)) return `is not a configuration key; ${suggestName(key, names)}`
  const sections = names.filter(name => isTable(model[name]))
  return `is not a section of the configuration; ${suggestName(key, sections)}`
}

/** Checks schema and rules. The returned configuration has defaults in place of faulty values. */
function check(table: Table, cwd: string): { config: Config; issues: readonly Issue[] } {
  const parsed = v.safeParse(Config, table)
  if (parsed.success) return { config: parsed.output, issues: findRuleIssues(parsed.output, cwd) }
  const issues = parsed.issues.map(issueOf)
  // The rules check the other keys too, with defaults in place of the faulty values.
  const repaired = v.safeParse(Config, repair(table, issues))
  if (!repaired.success) return { config: CONFIG_DEFAULTS, issues }
  return { config: repaired.output, issues: [...issues, ...findRuleIssues(repaired.output, cwd)] }
}

function issueOf(issue: v.BaseIssue<unknown>): Issue {
  const path = v.getDotPath(issue) ?? ''
  if (!issue.message.startsWith('Invalid')) return { path, message: issue.message }
  const isSection = issue.type === 'strict_object' || issue.type === 'record'
  return { path, message: isSection ? 'must be a table of keys' : 'must be text' }
}

/** Replaces the keys that have issues by their defaults. */
function repair(table: Table, issues: readonly Issue[]): Table {
  const defaults: Table = { ...CONFIG_DEFAULTS }
  const repaired = { ...table }
  for (const { path } of issues) {
    const [section = '', key = ''] = path.split('.')
    const defaultSection = defaults[section]
    const held = repaired[section]
    if (section === 'plans' || !isTable(defaultSection) || !isTable(held)) repaired[section] = defaultSection
    else repaired[section] = { ...held, [key]: defaultSection[key] }
  }
  return repaired
}
