import { ALERT_FIELDS_MAX, ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { isHtmlTag } from '#domain/alert/text/strip-markup.ts'

const OPENS_XML = /^\s*<(?:\?xml\b|[A-Z][\w.:-]*[\s>])/
/** A root element in lower case. The text is XML if it also ends with this element, unless that is HTML. */
const OPENS_ELEMENT = /^\s*<([a-z][\w.:-]{0,63})[\s>]/
/** A document of one element, which has only attributes. */
const LONE_ELEMENT = /^\s*<[^<>]{1,4096}\/>\s*$/
/** An element that contains only text. */
const LEAF = /<(?:[\w-]{1,32}:)?([A-Za-z][\w.-]{0,63})(?:\s[^<>]{0,256})?>([^<>]{1,1024})<\//g
/** An element whose attributes are the name and the value of a field. */
const NAMED = /<[\w.:-]{1,64} Name="([A-Za-z][\w. -]{0,63})" Value="([^"<>]{1,512})"/g
const ATTRIBUTE = /\s([A-Za-z][\w.-]{0,63})="([^"<>]{1,512})"/g

/**
 * The texts of an XML document, by element name, or else its attributes. `null` for HTML, for a text that is
 * not XML, and for a document with fewer than two of them.
 */
export function readXml(text: string): JsonObject | null {
  if (!opensXml(text) || /^\s*(?:<\?xml[^<>]*>\s*)?<!?(?:doctype )?html\b/i.test(text)) return null
  const bounded = text.slice(0, ALERT_VALUE_LENGTH_MAX)
  const fields = matchesOf(bounded, LEAF, NAMED)
  const found = fields.size > 1 ? fields : matchesOf(bounded.replace(/^\s*<\?[^<>]*>/, ''), LEAF, ATTRIBUTE)
  return found.size > 1 ? recordOf(found) : null
}

/** The names and values that these expressions find. The first value of a name counts. */
function matchesOf(text: string, ...patterns: readonly RegExp[]): ReadonlyMap<string, Json> {
  const fields = new Map<string, Json>()
  for (const [, name = '', value = ''] of patterns.flatMap(pattern => [...text.matchAll(pattern)])) {
    if (fields.size === ALERT_FIELDS_MAX) break
    if (!fields.has(name) && value.trim() !== '') fields.set(name, value.trim())
  }
  return fields
}

function opensXml(text: string): boolean {
  if (OPENS_XML.test(text)) return true
  const root = OPENS_ELEMENT.exec(text)?.[1]
  const isClosed = text.trimEnd().endsWith(`</${root}>`) || LONE_ELEMENT.test(text)
  return root !== undefined && !isHtmlTag(root) && isClosed
}
