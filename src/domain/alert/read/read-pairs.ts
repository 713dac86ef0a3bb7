import { type JsonObject, recordOf } from '#domain/alert/read/json-value.ts'

/** Fewer pairs are a sentence with an example: `load is a=5`. */
const PAIRS_MIN = 4
const PAIRS_MAX = 64
const TEXT_LENGTH_MAX = 8192
/** A pair of a line of a log. What stands before the first one is the priority of syslog. */
const PAIR = new RegExp(
  '([A-Za-z_][\\w.@-]{0,63})=' +
    '(?:"((?:[^"\\\\]|\\\\.){0,4096})"|([^\\s"=,]{0,1024}(?:,[^\\s"=,]{1,256}){0,16}))(?:,? +|$)',
  'y',
)
const PRIORITY = /^<\d{1,3}>\s*/

/**
 * The fields of a line of nothing but `name=value` pairs, as firewalls and programs write it into logs
 * (logfmt): `level=error msg="disk full"`. `null` for any other text.
 */
export function readPairs(text: string): JsonObject | null {
  const line = text.slice(0, TEXT_LENGTH_MAX).replace(PRIORITY, '').trim()
  if (text.length > TEXT_LENGTH_MAX || !/^[\w.@-]{1,64}=/.test(line)) return null
  const pairs: [string, string][] = []
  PAIR.lastIndex = 0
  while (PAIR.lastIndex < line.length && pairs.length < PAIRS_MAX) {
    const match = PAIR.exec(line)
    if (match === null) return null
    const [, name = '', quoted, bare = ''] = match
    pairs.push([name, quoted === undefined ? bare : quoted.replace(/\\(.)/g, '$1')])
  }
  return pairs.length < PAIRS_MIN ? null : recordOf(pairs)
}
