/** Exit codes of the program. */
import type { ProblemCode } from '#contracts/problem.ts'
import { Problem } from '#domain/problem.ts'

export const EXIT = { ok: 0, failed: 1, usage: 2, anotherInstance: 75 } as const

/** The exit code for each reason to refuse a command. */
export const EXIT_CODES: Readonly<Record<ProblemCode, number>> = {
  INVALID_REQUEST: EXIT.usage,
  UNAUTHORIZED: EXIT.failed,
  FORBIDDEN: EXIT.failed,
  NOT_FOUND: EXIT.failed,
  METHOD_NOT_ALLOWED: EXIT.failed,
  CONFLICT: EXIT.failed,
  PAYLOAD_TOO_LARGE: EXIT.failed,
  UNSUPPORTED_MEDIA_TYPE: EXIT.failed,
  IDEMPOTENCY_MISMATCH: EXIT.failed,
  RATE_LIMIT_EXCEEDED: EXIT.failed,
  INTERNAL_ERROR: EXIT.failed,
  NO_DEVICE_AVAILABLE: EXIT.failed,
  SERVICE_UNAVAILABLE: EXIT.failed,
}

/** A refusal for a reason outside the command line, such as a phone that does not answer. Exit code 1. */
export class OutsideProblem extends Problem {}
