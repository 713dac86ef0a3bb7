/*
 * Reports that have parts with headings: `--- New ---`, `--- Cleared ---`, `=== Full health status ===`. What
 * stands below a heading of ends is over.
 */
const HEADING = /^\s*([-=*#~])\1{1,9} ?([\p{L}][\p{L} ]{2,40}?):? ?\1{2,10}\s*$/u
const END = /^(?:cleared|resolved|recovered)(?: alerts?| alarms?| problems?)?$/i
/** A part without anything in it. */
const EMPTY = /^\W*(?:none|no (?:alerts?|alarms?|problems?|warnings?))?\W*$/i

/**
 * The lines of a report without those of problems that are over. `null` unless the report has nothing but
 * ended problems, so that its other lines only repeat them.
 */
export function linesBesideEnds(lines: readonly string[]): readonly string[] | null {
  let part: 'head' | 'ended' | 'other' = 'head'
  let isEnded = false
  const kept: string[] = []
  for (const line of lines) {
    const heading = HEADING.exec(line)?.[2]
    if (heading !== undefined) part = END.test(heading) ? 'ended' : 'other'
    else if (part === 'ended') isEnded ||= !EMPTY.test(line)
    else if (part === 'head') kept.push(line)
    else if (!EMPTY.test(line)) return null
  }
  return isEnded ? kept : null
}
