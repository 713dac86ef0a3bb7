/** Makes untrusted text safe for a terminal: one line, without control characters. */
export function oneLine(text: string, lengthMax = 400): string {
  const line = text.replace(/[\s\p{C}]+/gu, ' ').trim()
  return line.length <= lengthMax ? line : `${line.slice(0, lengthMax - 1).trimEnd()}…`
}
