import { ALERT_FIELDS_MAX, ALERT_VALUE_LENGTH_MAX } from '#contracts/bounds.ts'
import { type Json, type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'
import { isHtmlTag } from '#domain/alert/text/strip-markup.ts'

const OPENS_XML = /^\s*<(?:\?xml\b|[A-Z][\w.:-]*[\s>])/
/** A root element in lower case. The text is XML if it also ends with this element, unless that is HTML. */
const OPENS_ELEMENT = /^\s*<([a-z][\w.:-]{0,63})[\s>]/
/** An element that contains only text. */
const LEAF = /<(?:[\w-]{1,32}:)?([A-Za-z][\w.-]{0,63})(?:\s[^<>]{0,256})?>([^<>]{1,1024})<\//g

/**
 * The texts of an XML document, by element name. `null` for HTML, for a text that is not XML, and for a
 * document with texts in fewer than two elements of different names.
 */
export function readXml(text: string): JsonObject | null {
  if (!opensXml(text) || /^\s*(?:<\?xml[^<>]*>\s*)?<!?(?:doctype )?html\b/i.test(text)) return null
  const fields = new Map<string, Json>()
  for (const [, name = '', value = ''] of text.slice(0, ALERT_VALUE_LENGTH_MAX).matchAll(LEAF)) {
    if (fields.size === ALERT_FIELDS_MAX) break
    if (!fields.has(name) && value.trim() !== '') fields.set(name, value.trim())
  }
  return fields.size > 1 ? recordOf(fields) : null
}

function opensXml(text: string): boolean {
  if (OPENS_XML.test(text)) return true
  const root = OPENS_ELEMENT.exec(text)?.[1]
  return root !== undefined && !isHtmlTag(root) && text.trimEnd().endsWith(`</${root}>`)
}
