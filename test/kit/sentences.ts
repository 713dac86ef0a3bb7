/** Finds the sentences of the sources: those that are translated, and those that are not wrapped yet. */
import type { Node } from 'oxc-parser'
import { lineAt, listFiles, readSources, type Source, walk } from '#scripts/tidy/source.ts'

export interface Sentence {
  /** As the files of languages have it. Null: a translated sentence must be written out, and this is not. */
  readonly english: string | null
  /** `path:line`. */
  readonly at: string
}

/** Functions whose first text is a sentence that a file of a language has. */
const WRAPPERS = new Set(['t', 'say', 'sentence'])
/** Attributes that people read or hear. Some belong to components of the console. */
const READ = /^(aria-label|title|alt|placeholder|label|hint|question|word|action|advice|what|legend|gone)$/
/** Names of products and signs that are the same in every language. */
const SAME = /^(Roost|OpenAPI|curl|CA)$/

export function readAll(top: string): readonly Source[] {
  const paths = listFiles(top).filter(path => /^src\/.*\.tsx?$/.test(path))
  return readSources(top, paths).sources
}

/** The sentences that a source hands to the languages. */
export function sentencesOf(source: Source): readonly Sentence[] {
  const found: Sentence[] = []
  for (const { node } of walk(source.program)) {
    const at = `${source.path}:${lineAt(source.text, node.start)}`
    if (isWrapperCall(node)) {
      const isSaid = node.callee.name === 'say'
      const text = node.arguments[isSaid ? 1 : 0]
      // Said from a `sentence`, which is written out elsewhere.
      if (text === undefined || (isSaid && text.type !== 'Literal' && text.type !== 'BinaryExpression'))
        continue
      found.push(...textsOf(text).map(english => ({ english, at })))
    }
    if (isT(node)) found.push({ english: keyOf(node, { count: 0 }), at })
  }
  return found
}

/** Sentences in JSX that no reader of another language gets. */
export function unwrappedOf(source: Source): readonly Sentence[] {
  const found: Sentence[] = []
  const visit = (node: Node, isWrapped: boolean) => {
    const at = `${source.path}:${lineAt(source.text, node.start)}`
    if (node.type === 'JSXText' && !isWrapped && isSentence(node.value))
      found.push({ english: node.value.trim(), at })
    if (node.type === 'JSXAttribute' && node.name.type === 'JSXIdentifier' && READ.test(node.name.name)) {
      for (const english of literalsOf(node.value)) if (isSentence(english)) found.push({ english, at })
    }
    for (const { node: child, parent } of walk(node))
      if (parent === node) visit(child, isWrapped || isT(node))
  }
  visit(source.program, false)
  return found
}

function isSentence(text: string): boolean {
  return /\p{L}{2}/u.test(text) && !SAME.test(text.trim())
}

function literalsOf(node: Node | null): string[] {
  if (node === null) return []
  if (node.type === 'Literal') return typeof node.value === 'string' ? [node.value] : []
  if (node.type === 'TemplateLiteral') return [node.quasis.map(({ value }) => value.raw).join('')]
  if (node.type === 'JSXExpressionContainer') return literalsOf(node.expression as Node)
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(literalsOf)
  return []
}

type Call = Extract<Node, { type: 'CallExpression' }>
type Identifier = Extract<Node, { type: 'Identifier' }>

function isWrapperCall(node: Node): node is Call & { readonly callee: Identifier } {
  return node.type === 'CallExpression' && node.callee.type === 'Identifier' && WRAPPERS.has(node.callee.name)
}

function isT(node: Node): node is Extract<Node, { type: 'JSXElement' }> {
  return (
    node.type === 'JSXElement' &&
    node.openingElement.name.type === 'JSXIdentifier' &&
    node.openingElement.name.name === 'T'
  )
}

/** The texts of an argument; null for one that is not written out. */
function textsOf(node: Node): (string | null)[] {
  if (node.type === 'ConditionalExpression') return [node.consequent, node.alternate].flatMap(textsOf)
  if (node.type === 'Literal' && typeof node.value === 'string') return [node.value]
  if (node.type === 'BinaryExpression' && node.operator === '+') {
    const sides = [node.left, node.right].map(side => textsOf(side)[0] ?? null)
    return [sides.includes(null) ? null : sides.join('')]
  }
  return [null]
}

/** The key that `T` makes of its children. */
function keyOf(node: Extract<Node, { type: 'JSXElement' }>, numbers: { count: number }): string | null {
  const parts = node.children.map(child => {
    if (child.type === 'JSXText') return drawnText(child.value)
    if (child.type === 'JSXElement') {
      numbers.count++
      const number = numbers.count
      const inner = keyOf(child, numbers)
      return child.children.length === 0 ? `<${number}/>` : inner && `<${number}>${inner}</${number}>`
    }
    if (child.type !== 'JSXExpressionContainer') return null
    const { expression } = child
    if (expression.type === 'Literal') return String(expression.value)
    if (expression.type !== 'ObjectExpression' || expression.properties.length !== 1) return null
    const [property] = expression.properties
    return property?.type === 'Property' && property.key.type === 'Identifier'
      ? `{${property.key.name}}`
      : null
  })
  return parts.includes(null) ? null : parts.join('')
}

/** A text as JSX draws it: line breaks with the blanks around them become one blank, or none at the ends. */
function drawnText(raw: string): string {
  const lines = raw.split('\n')
  return lines
    .map((line, index) => {
      const from = index === 0 ? line : line.trimStart()
      return index === lines.length - 1 ? from : from.trimEnd()
    })
    .filter(line => line !== '')
    .join(' ')
}
