import { type ComponentChild, cloneElement, Fragment, h, isValidElement, type VNode } from 'preact'
import { language } from '#console/language.ts'
import { formOf, type Values } from '#contracts/words.ts'

type Named = Readonly<Record<string, ComponentChild>>

/** The elements and values of a sentence, as they were found in it. */
interface Parts {
  readonly elements: VNode<{ children?: ComponentChild }>[]
  readonly values: Record<string, ComponentChild>
}

/**
 * A sentence with elements and values in the reader's language:
 * `<T>Ask <a href="#/">{{ name }}</a>.</T>`. Its key is `Ask <1>{name}</1>.`
 */
export function T({ children }: { children: ComponentChild | Named | readonly (ComponentChild | Named)[] }) {
  const parts: Parts = { elements: [], values: {} }
  const english = keyOf(children as ComponentChild, parts)
  const translated = language.words[english]
  const tag = translated === undefined ? 'en' : language.tag
  return h(Fragment, null, ...filled(formOf(translated ?? english, tag, parts.values as Values), parts))
}

function keyOf(child: ComponentChild, parts: Parts): string {
  if (Array.isArray(child)) return child.map(one => keyOf(one, parts)).join('')
  if (isValidElement(child)) {
    const number = parts.elements.push(child as Parts['elements'][number])
    const inner = (child as Parts['elements'][number]).props.children
    return inner === undefined ? `<${number}/>` : `<${number}>${keyOf(inner, parts)}</${number}>`
  }
  if (typeof child !== 'object' || child === null) return String(child)
  const [[name, value] = ['', null]] = Object.entries(child as Named)
  parts.values[name] = value
  return `{${name}}`
}

const PIECE = /<(\d+)>(.*?)<\/\1>|<(\d+)\/>|\{(\w+)\}/g

function filled(sentence: string, parts: Parts): ComponentChild[] {
  const pieces: ComponentChild[] = []
  let end = 0
  for (const { 0: whole, 1: outer, 2: inner = '', 3: empty, 4: name = '', index } of sentence.matchAll(
    PIECE,
  )) {
    const value = parts.values[name]
    const element = parts.elements[Number(outer ?? empty) - 1]
    pieces.push(sentence.slice(end, index))
    if (element === undefined) pieces.push(typeof value === 'number' ? language.number(value) : value)
    else pieces.push(outer === undefined ? element : cloneElement(element, null, ...filled(inner, parts)))
    end = index + whole.length
  }
  return [...pieces, sentence.slice(end)]
}
