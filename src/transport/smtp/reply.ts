/** Answers of the server for mails that refuse a step. */
import { Problem } from '#domain/problem.ts'

export class Reply extends Error {
  readonly responseCode: number

  constructor(responseCode: number, message: string) {
    super(message)
    this.responseCode = responseCode
  }
}

export function reply(code: number, message: string): Reply {
  return new Reply(code, message)
}

export function replyTo(fault: unknown): Error {
  if (fault instanceof Reply) return fault
  if (!(fault instanceof Problem)) return reply(451, 'the gateway failed: try again later')
  return reply(isFinal(fault) ? 550 : 451, fault.message)
}

/** Whether a repetition would be refused as well. */
export function isFinal(fault: unknown): boolean {
  return fault instanceof Problem && (fault.code === 'NOT_FOUND' || fault.code === 'FORBIDDEN')
}
