import type { Findings } from '#domain/alert/guess/find-parts.ts'
import { readState } from '#domain/alert/vocabulary/states.ts'

/** The lines of the message, without words that the title and the state already say. */
export function rewordLines({ title, lines, lead, state }: Findings): string[] {
  if (lines.length === 0) return []
  const first = lead.stated ? lead.text : (lines[0] ?? '')
  const more = lines.slice(1)
  // After "DOWN nas", the line "nas down" says nothing new.
  const [, thing = first, end = ''] = /^(.+) ([a-z]+)[.!]*$/i.exec(first) ?? []
  if (state !== null && thing === title.text && readState(end)?.word === state.word) return more
  const reason = state === null ? first : shortenReason(first, state.word)
  return [reason, ...more]
    .filter(line => state?.kind !== 'good' || !/^severity: /i.test(line))
    .map(line => line.replace(/^- /, ''))
}

/** After CRITICAL, "nas disk is critical, 96 % used" becomes "nas disk: 96 % used". */
function shortenReason(line: string, word: string): string {
  const middle = / is ([a-z]{2,12}), (?=\S)/i.exec(line)
  if (middle === null || readState(middle[1] ?? '')?.word !== word) return line
  return `${line.slice(0, middle.index)}: ${line.slice(middle.index + middle[0].length)}`
}
