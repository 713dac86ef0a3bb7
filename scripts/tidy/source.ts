/** The parsed source files that all rules check, and the findings that the rules report. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { type Node, type Program, parseSync, visitorKeys } from 'oxc-parser'

export interface Finding {
  readonly path: string
  readonly line: number
  readonly rule: string
  /** What to do, in one sentence. */
  readonly message: string
}

export interface Source {
  /** From the top of the tree, with slashes. */
  readonly path: string
  readonly text: string
  readonly program: Program
}

/** A node with its parent, as `walk` yields it. */
export interface Place {
  readonly node: Node
  readonly parent: Node | null
  /** The property of the parent that holds the node. */
  readonly key: string
}

/** Folders and files that `.gitignore` names, and git's own. */
const IGNORED = new Set(['.git', 'node_modules', 'dist', 'coverage', 'data', 'config.toml'])
/** Files that `roost agent` writes when it is started here, as README.md says: token, journal, lock. */
const AGENT_STATE = /^roost-agent\.json/
const CODE = /\.(tsx?|mts|mjs|cjs|js)$/

/** Paths of all files below `top`, sorted, without what git ignores at the top, and without `*.log`. */
export function listFiles(top: string): string[] {
  const found: string[] = []
  const visit = (folder: string) => {
    for (const entry of readdirSync(join(top, folder), { withFileTypes: true })) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`
      const isIgnored = folder === '' && (IGNORED.has(path) || AGENT_STATE.test(path))
      if (isIgnored || entry.name.endsWith('.log')) continue
      if (entry.isDirectory()) visit(path)
      else found.push(path.split(sep).join('/'))
    }
  }
  visit('')
  return found.sort()
}

/** Reads and parses the code among `paths`; a file that does not parse gives one finding. */
export function readSources(
  top: string,
  paths: readonly string[],
): { sources: Source[]; findings: Finding[] } {
  const sources: Source[] = []
  const findings: Finding[] = []
  for (const path of paths.filter(name => CODE.test(name))) {
    const text = readFileSync(join(top, path), 'utf8')
    const { program, errors } = parseSync(path, text)
    const error = errors[0]
    if (error === undefined) sources.push({ path, text, program })
    else {
      const line = lineAt(text, error.labels[0]?.start ?? 0)
      findings.push({ path, line, rule: 'syntax', message: error.message })
    }
  }
  return { sources, findings }
}

export function lineAt(text: string, offset: number): number {
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line += 1
  return line
}

export function finding(source: Source, node: Node, rule: string): (message: string) => Finding {
  return message => ({ path: source.path, line: lineAt(source.text, node.start), rule, message })
}

/** Yields `node` and every node below it, parents first. */
export function* walk(node: Node, parent: Node | null = null, key = ''): Generator<Place> {
  yield { node, parent, key }
  for (const name of visitorKeys[node.type] ?? []) {
    const child = (node as unknown as Record<string, Node | (Node | null)[] | null | undefined>)[name]
    for (const one of Array.isArray(child) ? child : [child]) {
      if (one) yield* walk(one, node, name)
    }
  }
}

/**
 * Whether an identifier is read as a value, and is not a property name, a type, an import or a declaration.
 */
export function isValueReference({ node, parent, key }: Place): boolean {
  if (node.type !== 'Identifier' || parent === null) return false
  if (parent.type === 'MemberExpression') return key === 'object' || parent.computed
  if (parent.type === 'Property') return key === 'value' || parent.computed
  if (key === 'key' || key === 'id' || key === 'label' || key === 'params') return false
  return !/^(Import|Export|TSTypeReference|TSQualifiedName|TSTypeQuery|TSPropertySignature)/.test(parent.type)
}

/** The name of a property that is reached by `.name` or `['name']`. */
export function memberName(node: Node): string | null {
  if (node.type !== 'MemberExpression') return null
  if (!node.computed) return node.property.type === 'Identifier' ? node.property.name : null
  return node.property.type === 'Literal' && typeof node.property.value === 'string'
    ? node.property.value
    : null
}
