/** Makes untrusted text safe to print: it must not control the terminal or forge a line. */

/**
 * Control characters (C0, DEL, C1), invisible format characters such as right-to-left overrides, and line
 * separators. Line feeds and tabs stay. So do the two joiners, because emoji and Persian words contain them.
 */
const UNPRINTABLE = /[[\p{Cc}\p{Cf}\u2028\u2029]--[\n\t\u200c\u200d]]/gv

/** Escapes what could control a terminal. The text may still have several lines. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, character => `\\u{${character.codePointAt(0)?.toString(16)}}`)
}

/** As `printable`, and line feeds are escaped too. */
export function printableLine(text: string): string {
  return printable(text).replaceAll('\n', '\\n')
}

/** JSON that contains none of these characters: inside strings they are escaped as `\uXXXX`. */
export function printableJson(value: unknown): string {
  return JSON.stringify(value).replace(UNPRINTABLE, character =>
    Array.from({ length: character.length }, (_, at) => escapeUnit(character.charCodeAt(at))).join(''),
  )
}

function escapeUnit(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`
}
