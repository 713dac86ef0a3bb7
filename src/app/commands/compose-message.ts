/** Parses phone numbers and texts that were given on the command line. */
import * as v from 'valibot'
import type { AcceptMessage, Recipient } from '#contracts/commands.ts'
import { MessageText, PhoneNumberInput } from '#contracts/message.ts'
import type { Issue } from '#contracts/problem.ts'
import { segmentsOf } from '#domain/message/segments.ts'
import { parsePhoneNumber, regionOf } from '#domain/phone-number/parse-phone-number.ts'
import { invalid } from '#domain/problem.ts'

type Composed = Pick<AcceptMessage, 'phoneNumber' | 'country' | 'text' | 'segments' | 'encoding'>

/** Parses a number and a text, and counts segments. @throws Problem INVALID_REQUEST with all faults */
export function composeMessage(number: string, text: string): Composed {
  const issues = faultsOf(v.safeParse(MessageText, text), 'text')
  const recipient = readNumber(number, issues)
  if (recipient === null || issues.length > 0) throw invalid(issues)
  return { ...recipient, text, ...segmentsOf(text) }
}

/** Parses phone numbers. @throws Problem INVALID_REQUEST with the faults of all numbers */
export function readRecipients(numbers: readonly string[]): Recipient[] {
  const issues: Issue[] = []
  const recipients = numbers.map(number => readNumber(number, issues))
  if (issues.length > 0) throw invalid(issues)
  return recipients.filter(recipient => recipient !== null)
}

/** Parses a number. Null: it has faults, which are added to `issues`. */
function readNumber(written: string, issues: Issue[]): Recipient | null {
  const faults = faultsOf(v.safeParse(PhoneNumberInput, written), written)
  const number = faults.length === 0 ? parsePhoneNumber(written) : null
  if (faults.length === 0 && number === null)
    faults.push({ path: written, message: 'is not a possible number: write it like +14155550123 (E.164)' })
  issues.push(...faults)
  return number && { phoneNumber: number.e164, country: regionOf(number) }
}

function faultsOf(read: v.SafeParseResult<v.GenericSchema>, path: string): Issue[] {
  return read.success ? [] : read.issues.map(({ message }) => ({ path, message }))
}
