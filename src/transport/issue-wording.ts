import type * as v from 'valibot'

/** Messages for valibot's own names of types. */
const TYPE_WORDINGS: Readonly<Record<string, string>> = {
  object: 'must be a JSON object',
  array: 'must be a list',
  string: 'must be text',
  number: 'must be a number',
  boolean: 'must be true or false',
}

/** Messages for checks that a schema gives no message of its own. `bound` is the limit of the check. */
const CHECK_WORDINGS: Readonly<Record<string, (bound: unknown) => string>> = {
  min_value: bound => `must be at least ${bound}`,
  max_value: bound => `must be at most ${bound}`,
  min_length: bound => `must have a length of at least ${bound}`,
  max_length: bound => `must have a length of at most ${bound}`,
  integer: () => 'must be a whole number',
  finite: () => 'must be a finite number',
}

/**
 * The message of an issue for people. A schema's own message stays. valibot's messages are replaced: they
 * name types of the programming language, and repeat the received value, which may be a secret in the wrong
 * field.
 */
export function wordingOf(issue: v.BaseIssue<unknown>): string {
  const { kind, type, expected, requirement, received, message } = issue
  if (kind === 'schema' && received === 'undefined') return 'is required'
  const isOwn = !message.startsWith('Invalid ')
  if (kind === 'schema' && (!isOwn || type === 'object' || type === 'array'))
    return TYPE_WORDINGS[type] ?? `must be ${alternatives(expected)}`
  return isOwn ? message : (CHECK_WORDINGS[type]?.(requirement) ?? 'has a wrong form')
}

/** `("a" | "b")`, as valibot lists the values that it expects, becomes `"a" or "b"`. */
function alternatives(expected: string | null): string {
  return expected === null ? 'another value' : expected.replace(/^\(|\)$/g, '').replaceAll(' | ', ' or ')
}
