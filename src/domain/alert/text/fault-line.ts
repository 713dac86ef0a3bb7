const FAULT = new RegExp(
  '(?:error|exception)\\b|\\b(?:fail(?:ed|ure)?|fatal|panic|denied|refused|cannot|could not|unable|invalid' +
    '|unexpectedly|no such|not found|timed out|abort(?:ed)?|killed)\\b',
  'i',
)

const NO_FAULT = /\b(?:0|no|without) (?:errors?|failures?|failed|exceptions?)\b/gi

/** Whether a line of a program's output says what went wrong, also as an exception: `OperationalError`. */
export function isFaultLine(line: string): boolean {
  return FAULT.test(line.replace(NO_FAULT, ''))
}
