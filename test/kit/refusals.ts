/** Finds the sentences with which the gateway refuses: its own, and those about fields. */
import type { Node } from 'oxc-parser'
import { lineAt, type Source, walk } from '#scripts/tidy/source.ts'

export interface RefusalSentence {
  /** With `{}` in the place of each value. */
  readonly english: string
  /** `path:line`. */
  readonly at: string
}

/** Functions that make a refusal, and which argument is its sentence. */
const MAKERS: Readonly<Record<string, number>> = { Problem: 1, limitReached: 0 }

/** The sentences that a source refuses with. A sentence in a constant of the file counts, too. */
export function refusalsOf(source: Source): readonly RefusalSentence[] {
  const constants = new Map<string, Node[]>()
  for (const { node } of walk(source.program))
    if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init !== null)
      constants.set(node.id.name, [...(constants.get(node.id.name) ?? []), node.init])
  const found: RefusalSentence[] = []
  for (const { node } of walk(source.program)) {
    const text = sentenceIn(node)
    if (text === undefined) continue
    const at = `${source.path}:${lineAt(source.text, node.start)}`
    for (const english of textsOf(text, constants)) if (/[a-z] /.test(english)) found.push({ english, at })
  }
  return found
}

/** The part of the node that is the sentence of a refusal. */
function sentenceIn(node: Node): Node | undefined {
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const { callee } = node
    if (callee.type === 'Identifier' && callee.name === 'notFound') return undefined
    const index = callee.type === 'Identifier' ? MAKERS[callee.name] : undefined
    if (index !== undefined) return node.arguments[index]
    // Checks of valibot end with what they say.
    const isCheck =
      callee.type === 'MemberExpression' && callee.object.type === 'Identifier' && callee.object.name === 'v'
    return isCheck && node.arguments.length > 0 ? node.arguments.at(-1) : undefined
  }
  if (node.type !== 'ObjectExpression') return undefined
  const partOf = (name: string) =>
    node.properties.flatMap(one =>
      one.type === 'Property' && one.key.type === 'Identifier' && one.key.name === name ? [one.value] : [],
    )[0]
  // A row of `account-bounds.ts`.
  if (partOf('most') !== undefined) return partOf('full')
  return partOf('path') === undefined ? undefined : partOf('message')
}

function textsOf(node: Node, constants: ReadonlyMap<string, readonly Node[]>): readonly string[] {
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'string' ? [node.value] : []
    case 'TemplateLiteral':
      return [node.quasis.map(({ value }) => value.cooked).join('{}')]
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(one => textsOf(one, constants))
    case 'BinaryExpression': {
      const [left = '{}'] = textsOf(node.left as Node, constants)
      const [right = '{}'] = textsOf(node.right, constants)
      return node.operator === '+' ? [left + right] : []
    }
    case 'Identifier': {
      // The last constant of this name above it.
      const value = (constants.get(node.name) ?? []).findLast(({ start }) => start < node.start)
      return value === undefined || value.type === 'Identifier' ? [] : textsOf(value, constants)
    }
    default:
      return []
  }
}
