/**
 * Rules about imports: which floor may import which floor and which package, and how an import is written.
 */
import type { Node } from 'oxc-parser'
import { type Finding, finding, type Source, walk } from '#scripts/tidy/source.ts'

const BELOW_APP = ['storage', 'transport', 'pool', 'rate-limit'] as const

/** The other floors that each floor may import. The agent is a separate program that `app` only starts. */
const MAY_IMPORT: Record<string, readonly string[]> = {
  main: ['app', 'domain', 'contracts'],
  app: [...BELOW_APP, 'agent', 'domain', 'contracts'],
  storage: ['domain', 'contracts'],
  transport: ['domain', 'contracts'],
  pool: ['domain', 'contracts'],
  'rate-limit': ['domain', 'contracts'],
  domain: ['contracts'],
  contracts: [],
  agent: ['contracts'],
  console: ['contracts'],
}

const THIRD_PARTIES: Record<string, readonly string[]> = {
  'uWebSockets.js': ['transport'],
  undici: ['transport'],
  'node:sqlite': ['storage'],
  piscina: ['pool'],
  'smol-toml': ['app'],
  'bonjour-service': ['app'],
  commander: ['main', 'app'],
  leven: ['app'],
  '@peculiar/x509': ['app'],
  'reflect-metadata': ['app'],
  'libphonenumber-js': ['domain'],
  'temporal-polyfill': ['domain'],
  '@valibot/to-json-schema': ['transport'],
  'prom-client': ['app'],
  jose: ['app'],
  uqr: ['app', 'console'],
  preact: ['console'],
  'swagger-ui-dist': ['console'],
  '@preact/signals': ['console'],
  entities: ['domain'],
  jsonrepair: ['domain'],
  multipasta: ['domain'],
  tinyqueue: ['domain'],
  'ipaddr.js': ['domain'],
  'smtp-server': ['transport'],
  nodemailer: ['transport'],
  mqtt: ['transport'],
  ws: ['agent'],
}

/** The frames of the device protocol. Only its two ends read and write them: the agent and the transport. */
const DEVICE_FRAMES = '#contracts/device-frames.ts'
const FRAME_READERS = /^src\/(agent|contracts|transport\/device\/roost)\//

/** Modules of Node that `domain` may import because they are deterministic. */
const PURE_MODULES = [
  'node:assert',
  'node:assert/strict',
  'node:buffer',
  'node:url',
  'node:util',
  'node:crypto',
]
const PURE_CRYPTO = new Set(['createHash', 'createHmac', 'hash', 'timingSafeEqual'])

interface Import {
  readonly specifier: string
  readonly names: readonly string[]
  /** An import of types only, which does not exist at run time. */
  readonly erased: boolean
  readonly report: (rule: string) => (message: string) => Finding
}

export function checkFloors(sources: readonly Source[]): Finding[] {
  return [
    ...sources.flatMap(source => checkSource(source)),
    ...ONE_FILE_PACKAGES.flatMap(name => checkOneFile(sources, name)),
  ]
}

/** The floor of a file of `src/`, null elsewhere. */
export function floorOf(path: string): string | null {
  if (path === 'src/main.ts') return 'main'
  return /^src\/([^/]+)\//.exec(path)?.[1] ?? null
}

function checkSource(source: Source): Finding[] {
  const floor = floorOf(source.path)
  const findings: Finding[] = []
  if (floor !== null && !Object.hasOwn(MAY_IMPORT, floor)) {
    const message = `src/${floor} is not a floor: use one of ${Object.keys(MAY_IMPORT).join(', ')}`
    findings.push({ path: source.path, line: 1, rule: 'floor', message })
  }
  for (const one of importsOf(source)) {
    findings.push(...checkForm(one))
    if (floor === null) continue
    findings.push(...checkArrow(one, floor), ...checkFrames(one, source.path))
    findings.push(...checkThirdParty(one, floor, source.path))
    if (floor === 'domain' || floor === 'contracts') findings.push(...checkPureModule(one, floor))
  }
  return findings
}

function checkForm({ specifier, report }: Import): Finding[] {
  if (/^[./]/.test(specifier)) return [report('import-form')(`write '${specifier}' as '#floor/path/file.ts'`)]
  if (!specifier.startsWith('#') || /\.(tsx?|mjs|json)$/.test(specifier) || specifier === '#main') return []
  return [report('import-form')(`write '${specifier}' with its extension`)]
}

function checkFrames({ specifier, report }: Import, path: string): Finding[] {
  if (specifier !== DEVICE_FRAMES || FRAME_READERS.test(path)) return []
  return [report('arrow')(`use #contracts/phone-orders.ts: only transport/device translates frames`)]
}

/** Single files that a floor may import from a floor that it may not import otherwise. */
const EXCEPTIONS: Readonly<Record<string, readonly string[]>> = {
  // The console counts segments while a user types, with the same code as the gateway.
  console: ['#domain/message/segments.ts'],
}

function checkArrow({ specifier, report }: Import, floor: string): Finding[] {
  const target = /^#([^/]+)/.exec(specifier)?.[1]
  if (target === undefined || target === floor || specifier.endsWith('.json')) return []
  const allowed = MAY_IMPORT[floor] ?? []
  if (allowed.includes(target) || EXCEPTIONS[floor]?.includes(specifier)) return []
  const list = allowed.length === 0 ? 'no other floor' : `only ${allowed.join(', ')}`
  const message = `${floor} imports ${list}, not '${specifier}'; declare an interface where it is used`
  return [report('arrow')(message)]
}

/** Loading `node:sqlite` prints a warning that this file suppresses; other files may import only types. */
const SQLITE_FILE = 'src/storage/sqlite.ts'

function checkThirdParty({ specifier, report, erased }: Import, floor: string, path: string): Finding[] {
  if (specifier === 'node:sqlite' && floor === 'storage' && !erased && path !== SQLITE_FILE) {
    return [report('third-party')(`import DatabaseSync from '#storage/sqlite.ts'`)]
  }
  const name = Object.keys(THIRD_PARTIES).find(one => specifier === one || specifier.startsWith(`${one}/`))
  const floors = name === undefined ? undefined : THIRD_PARTIES[name]
  if (floors === undefined || floors.includes(floor)) return []
  return [report('third-party')(`use ${specifier} only in ${floors.join(' and ')}, behind an interface`)]
}

function checkPureModule({ specifier, names, report, erased }: Import, floor: string): Finding[] {
  if (erased || !specifier.startsWith('node:')) return []
  const impure = specifier === 'node:crypto' ? names.filter(name => !PURE_CRYPTO.has(name)) : []
  if (floor === 'domain' && PURE_MODULES.includes(specifier) && impure.length === 0) return []
  return [
    report('pure')(`${floor} may not use ${[specifier, ...impure].join(' ')}: take its result as an input`),
  ]
}

/** Packages that one file of `domain` keeps to itself. */
const ONE_FILE_PACKAGES = ['libphonenumber-js', 'temporal-polyfill']

function checkOneFile(sources: readonly Source[], name: string): Finding[] {
  const uses = sources
    .filter(source => floorOf(source.path) === 'domain')
    .flatMap(source => importsOf(source).filter(one => one.specifier.startsWith(name)))
    .map(one => one.report('third-party')(`move this to the one file of domain that uses ${name}`))
  const first = uses[0]?.path
  return uses.filter(use => use.path !== first)
}

/** All imports of a file, static, dynamic and of types. */
export function importsOf(source: Source): Import[] {
  return [...walk(source.program)].flatMap(({ node }) => {
    const one = readImport(node)
    return one === null ? [] : [{ ...one, report: (rule: string) => finding(source, node, rule) }]
  })
}

function readImport(node: Node): Omit<Import, 'report'> | null {
  if (node.type === 'ImportDeclaration') {
    const erased = node.importKind === 'type'
    return { specifier: node.source.value, names: importedNames(node.specifiers), erased }
  }
  if (node.type === 'ExportNamedDeclaration' || node.type === 'ExportAllDeclaration') {
    return node.source === null ? null : { specifier: node.source.value, names: ['*'], erased: false }
  }
  if (node.type !== 'ImportExpression' && node.type !== 'TSImportType') return null
  const { source } = node
  if (source.type !== 'Literal' || typeof source.value !== 'string') return null
  return { specifier: source.value, names: ['*'], erased: node.type === 'TSImportType' }
}

function importedNames(specifiers: readonly { type: string; imported?: unknown }[]): string[] {
  return specifiers.map(one => (one.imported as { name?: string } | undefined)?.name ?? '*')
}
