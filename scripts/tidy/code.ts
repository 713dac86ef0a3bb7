/**
 * Rules about the code in a file: the process, shared memory, clocks, exports, parameters, sleeping tests.
 */
import type { ArrowFunctionExpression, Function as FunctionNode, Node } from 'oxc-parser'
import { floorOf } from '#scripts/tidy/floors.ts'
import {
  type Finding,
  finding,
  isValueReference,
  lineAt,
  memberName,
  type Place,
  type Source,
  walk,
} from '#scripts/tidy/source.ts'

const FUNCTION_LINES_MAX = 70
/** For a function in a .tsx file: most lines of a component hold one tag or attribute. */
const COMPONENT_LINES_MAX = 120
const PARAMETERS_MAX = 3
/** Main files of programs. Only these may use `process.exit` and `process.env`. */
const PROGRAMS = new Set(['src/main.ts', 'src/agent/standalone.ts'])
const SHARED_MEMORY = new Set(['Atomics', 'SharedArrayBuffer'])
const TIMERS = new Set(['setTimeout', 'setInterval'])
const IMPURE = new Set([
  ...TIMERS,
  'setImmediate',
  'queueMicrotask',
  'process',
  'performance',
  'fetch',
  'crypto',
])
/** The one file that names others only to list them. */
const MIGRATION_LIST = 'src/storage/migrations.ts'
/**
 * This receiver sends its answer in small pieces. It stands for the outside world, so it may use real timers.
 * No test awaits them.
 */
const TIMED_TESTS = new Set(['test/kit/rogue-receiver.ts', 'test/kit/real-pause.ts'])

type Rule = (place: Place, source: Source) => string | null

/** `applies` says which files a rule checks. */
const RULES: readonly { name: string; applies: (path: string) => boolean; rule: Rule }[] = [
  { name: 'process', applies: path => inSource(path) && !PROGRAMS.has(path), rule: checkProcess },
  {
    name: 'shared-memory',
    applies: path => inSource(path) && floorOf(path) !== 'rate-limit',
    rule: checkShared,
  },
  { name: 'pure', applies: path => ['domain', 'contracts'].includes(floorOf(path) ?? ''), rule: checkPure },
  { name: 'default-export', applies: () => true, rule: checkDefaultExport },
  { name: 'barrel', applies: path => path !== MIGRATION_LIST, rule: checkBarrel },
  { name: 'parameters', applies: inSource, rule: checkParameters },
  { name: 'function-length', applies: () => true, rule: checkFunctionLength },
  { name: 'sleep', applies: path => path.startsWith('test/') && !TIMED_TESTS.has(path), rule: checkSleep },
  { name: 'test-left-out', applies: path => path.startsWith('test/'), rule: checkLeftOut },
]

export function checkCode(sources: readonly Source[]): Finding[] {
  return sources.flatMap(source => {
    const rules = RULES.filter(one => one.applies(source.path))
    return [...walk(source.program)].flatMap(place =>
      rules.flatMap(({ name, rule }) => {
        const message = rule(place, source)
        return message === null ? [] : [finding(source, place.node, name)(message)]
      }),
    )
  })
}

function inSource(path: string): boolean {
  return path.startsWith('src/')
}

function checkProcess({ node }: Place): string | null {
  const message =
    'only the main file of a program may use process.exit and process.env: pass the value, or throw'
  const name = memberName(node)
  if (node.type === 'MemberExpression' && isNamed(node.object, 'process')) {
    return name === 'exit' || name === 'env' ? message : null
  }
  if (node.type === 'VariableDeclarator' && node.init && isNamed(node.init, 'process')) {
    return node.id.type === 'ObjectPattern' && hasKey(node.id, ['exit', 'env']) ? message : null
  }
  return node.type === 'ImportDeclaration' && /^(node:)?process$/.test(node.source.value) ? message : null
}

function checkShared(place: Place): string | null {
  if (!isValueReference(place) || !isNamed(place.node, SHARED_MEMORY)) return null
  return 'make, read and write shared memory only in src/rate-limit; other floors only pass the buffer on'
}

function checkPure(place: Place): string | null {
  const { node } = place
  const advice = 'domain and contracts are synchronous and deterministic'
  if (isValueReference(place) && isNamed(node, IMPURE)) return `${advice}: take the value as an input instead`
  if (node.type === 'MemberExpression') {
    const isClock = isNamed(node.object, 'Date') && memberName(node) === 'now'
    const isRandom = isNamed(node.object, 'Math') && memberName(node) === 'random'
    return isClock || isRandom ? `${advice}: take the time or the number as an input` : null
  }
  if (node.type === 'NewExpression' && isNamed(node.callee, 'Date') && node.arguments.length === 0) {
    return `${advice}: take the time as an input`
  }
  const waits = node.type === 'AwaitExpression' || ('async' in node && node.async === true)
  return waits ? `${advice}: move the asynchronous part to the caller` : null
}

function checkDefaultExport({ node }: Place, { path }: Source): string | null {
  if (/^[^/]+\.(mjs|js|ts)$/.test(path)) return null
  if (node.type === 'ExportDefaultDeclaration') return 'export it by its name'
  const renamed = node.type === 'ExportSpecifier' && isNamed(node.exported, 'default')
  return renamed ? 'export it by its name' : null
}

function checkBarrel({ node }: Place, { program }: Source): string | null {
  const message = 'import this name from the file that declares it, and remove this export'
  if (node.type === 'ExportAllDeclaration') return message
  if (node.type !== 'ExportNamedDeclaration') return null
  if (node.source !== null) return message
  const imported = new Set(
    program.body.flatMap(one =>
      one.type === 'ImportDeclaration' ? one.specifiers.map(specifier => specifier.local.name) : [],
    ),
  )
  return node.specifiers.some(one => isNamed(one.local, imported)) ? message : null
}

function checkParameters({ node }: Place): string | null {
  if (!isFunction(node)) return null
  const count = node.params.filter(one => !isNamed(one, 'this')).length
  if (count <= PARAMETERS_MAX) return null
  return `${count} parameters; at most ${PARAMETERS_MAX}: gather those of one kind in an options object`
}

function checkFunctionLength({ node, parent }: Place, { path, text }: Source): string | null {
  if (!isFunction(node)) return null
  // A group of tests is a list of functions, so its length does not count.
  const groups = new Set(['describe', 'suite'])
  if (parent?.type === 'CallExpression' && isNamed(parent.callee, groups)) return null
  const lines = lineAt(text, node.end) - lineAt(text, node.start) + 1
  const linesMax = path.endsWith('.tsx') ? COMPONENT_LINES_MAX : FUNCTION_LINES_MAX
  if (lines <= linesMax) return null
  return `${lines} lines; at most ${linesMax}: move a part into a function of its own`
}

function checkSleep(place: Place): string | null {
  const { node } = place
  const message = 'tests never sleep: await an event or advance an injected clock'
  if (node.type === 'ImportDeclaration' && /^(node:)?timers(\/promises)?$/.test(node.source.value)) {
    // setImmediate waits for a turn of the event loop, not for a time.
    const turnsOnly = node.specifiers.every(
      one => one.type === 'ImportSpecifier' && isNamed(one.imported, 'setImmediate'),
    )
    return turnsOnly ? null : message
  }
  if (memberName(node) === 'setTimeout' && node.type === 'MemberExpression') {
    return isNamed(node.object, 'globalThis') ? message : null
  }
  return isValueReference(place) && isNamed(node, TIMERS) ? message : null
}

function checkLeftOut({ node }: Place): string | null {
  const message = 'no test may be skipped or run alone: repair or remove the test'
  if (node.type === 'CallExpression') {
    const { callee } = node
    if (!['only', 'skip', 'todo'].includes(memberName(callee) ?? '')) return null
    const groups = new Set(['test', 'it', 'describe', 'suite', 't'])
    return callee.type === 'MemberExpression' && isNamed(callee.object, groups) ? message : null
  }
  if (node.type !== 'Property' || !isNamed(node.key, new Set(['only', 'skip', 'todo']))) return null
  return node.value.type === 'Literal' && node.value.value === true ? message : null
}

function isFunction(node: Node): node is FunctionNode | ArrowFunctionExpression {
  return (
    node.type === 'FunctionDeclaration' ||
    node.type === 'FunctionExpression' ||
    node.type === 'ArrowFunctionExpression'
  )
}

function isNamed(node: Node, names: string | ReadonlySet<string>): boolean {
  if (node.type !== 'Identifier') return false
  return typeof names === 'string' ? node.name === names : names.has(node.name)
}

function hasKey(pattern: Node, names: readonly string[]): boolean {
  if (pattern.type !== 'ObjectPattern') return false
  return pattern.properties.some(one => one.type === 'Property' && isNamed(one.key, new Set(names)))
}
