/** Parses phone numbers and texts that were given on the command line. */
import * as v from 'valibot'
import type { AcceptMessage } from '#contracts/commands.ts'
import { MessageText } from '#contracts/message.ts'
import type { Issue } from '#contracts/problem.ts'
import type { Recipient } from '#contracts/webhook-commands.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { type PhoneNumber, regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { orUnchecked, readWrittenNumber, type Unchecked } from '#domain/phone-number/read-written-number.ts'
import { invalid } from '#domain/problem.ts'

type Composed = Pick<AcceptMessage, 'phoneNumber' | 'country' | 'text' | 'segments' | 'encoding'>

interface NumberRules extends Pick<Unchecked, 'isTaken' | 'hasShortCodes'> {
  /** Of national numbers. */
  readonly country: string
}

/**
 * Parses a number and a text, and counts segments.
 *
 * @throws Problem INVALID_REQUEST with all faults
 */
export function composeMessage(number: string, text: string, rules: NumberRules): Composed {
  const read = v.safeParse(MessageText, text)
  const issues = read.success ? [] : read.issues.map(({ message }) => ({ path: 'text', message }))
  const known = readWrittenNumber(number, rules.country)
  const checked = orUnchecked(known, number, { ...rules, way: '--skip-phone-validation' })
  const recipient = recipientOf(number, checked, issues)
  if (recipient === null || issues.length > 0) throw invalid(issues)
  return { ...recipient, text, ...segmentsOf(text) }
}

/**
 * Parses phone numbers (`country`: of national ones).
 *
 * @throws Problem INVALID_REQUEST with the faults of all numbers
 */
export function readRecipients(numbers: readonly string[], country: string): Recipient[] {
  const issues: Issue[] = []
  const recipients = numbers.map(number => recipientOf(number, readWrittenNumber(number, country), issues))
  if (issues.length > 0) throw invalid(issues)
  return recipients.filter(recipient => recipient !== null)
}

/** A number as texts to it are stored: a short code, too. @throws Problem INVALID_REQUEST */
export function readNumberAsSent(number: string, country: string): string {
  if (/^\d{3,6}$/.test(number)) return number
  const [recipient] = readRecipients([number], country)
  return recipient?.phoneNumber ?? number
}

/** Null: the number has a fault, which is added to `issues`. */
function recipientOf(written: string, number: PhoneNumber | string, issues: Issue[]): Recipient | null {
  if (typeof number !== 'string') return { phoneNumber: number.e164, country: regionOf(number) }
  issues.push({ path: written, message: number })
  return null
}
