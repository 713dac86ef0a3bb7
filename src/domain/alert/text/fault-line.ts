const FAULT = new RegExp(
  '(?:error|exception)\\b|(?<![\\p{L}\\d_])(?:fail(?:ed|ure)?|fatal|panic|denied|refused|cannot' +
    '|could not|unable|invalid' +
    '|unexpectedly|no such|not found|timed out|abort(?:ed)?|killed|user unknown' +
    '|said: [45]\\d\\d|fehlgeschlagen|fehler|gescheitert|échec|échoué|erreur|falló|fallido' +
    '|errore|fallito|mislukt|fout)(?!\\p{L})|\\bERR!',
  'iu',
)

const NO_FAULT = /\b(?:0|no|without) (?:errors?|failures?|failed|exceptions?)\b/gi

/** A text that only says that all is well, which is no reason of an alarm. */
const NO_FAULT_TEXT =
  /^\W*(?:normal|none|(?:no|without) (?:errors?|faults?|failures?|problems?|issues?))\W*$/i

export function saysNoFault(text: string): boolean {
  return text.length < 40 && NO_FAULT_TEXT.test(text)
}

/** Whether a line of a program's output says what went wrong, also as an exception: `OperationalError`. */
export function isFaultLine(line: string): boolean {
  return FAULT.test(line.replace(NO_FAULT, ''))
}

/** A line that its program marks as an error: `ERROR: …`, `nginx: [emerg] …`. */
const MARKED = /^(?:error|fatal)\b|\[(?:emerg|alert|crit|error|fatal)\]/i

/** The lines that say what went wrong, those that the program marks as errors first. */
export function faultLines(lines: readonly string[]): readonly string[] {
  const faults = lines.filter(isFaultLine)
  const marked = faults.filter(line => MARKED.test(line))
  return [...marked, ...faults.filter(line => !MARKED.test(line))]
}
