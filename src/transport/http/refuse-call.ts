import { ACCOUNT_BOUNDS } from '#contracts/account-bounds.ts'
import { causeOf } from '#domain/cause.ts'
import { Problem, whyFull } from '#domain/problem.ts'
import { API, addressRate } from '#transport/http/count-call.ts'
import type { Exchange } from '#transport/http/exchange.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'
import type { ServerPorts } from '#transport/http/server-ports.ts'

/**
 * Answers with a refusal. An error that is not a Problem is logged and answered as an internal error. Never
 * throws, because an error in a callback of uWebSockets.js would end the thread.
 */
export function refuseCall(exchange: Exchange, ports: ServerPorts, error: unknown): void {
  try {
    if (exchange.isOver) return
    const problem = error instanceof Problem ? error : internalError(exchange, ports, error)
    addRate(exchange, ports)
    const answer = problemAnswer(problem)
    const shaped = exchange.refusal?.(problem, answer.status)
    exchange.answer({ ...answer, ...shaped, close: isUnreadable(exchange, problem) })
  } catch (failure) {
    exchange.answer({ ...problemAnswer(internalError(exchange, ports, failure)), close: true })
  }
}

/**
 * Whether the connection must be closed, because the rest of the body is too long, late or not recognizable.
 */
function isUnreadable(exchange: Exchange, problem: Problem): boolean {
  if (exchange.fault !== null || exchange.isCrowded || problem.code === 'PAYLOAD_TOO_LARGE') return true
  // The rest of the body may not have arrived yet.
  if (exchange.isLate) return true
  return declaredBytes(exchange) > exchange.bodyBytesMax
}

export function declaredBytes(exchange: Exchange): number {
  return Number(exchange.headers['content-length'] ?? 0)
}

/** Why a body was not read to its end. */
export function notRead({ isCrowded, bodyBytesMax }: Exchange): Problem {
  if (!isCrowded) return tooLong(bodyBytesMax)
  return new Problem('SERVICE_UNAVAILABLE', whyFull(ACCOUNT_BOUNDS.largeBodies), { retryAfterS: 5 })
}

export function tooLong(bytesMax: number): Problem {
  return new Problem('PAYLOAD_TOO_LARGE', `the body is longer than ${bytesMax} bytes`)
}

/** Adds the rate-limit headers to an answer of the API whose call was not counted. */
function addRate(exchange: Exchange, ports: ServerPorts): void {
  if (exchange.rate === null && exchange.path.startsWith(API)) exchange.rate = addressRate(exchange, ports)
}

/** Logs an error that is the gateway's own. */
export function logFailure({ requestId, route }: Exchange, ports: ServerPorts, error: unknown): void {
  ports.log({ level: 'error', event: 'request.failed', fields: { requestId, route, cause: causeOf(error) } })
}

function internalError(exchange: Exchange, ports: ServerPorts, error: unknown): Problem {
  const { requestId } = exchange
  logFailure(exchange, ports, error)
  return new Problem('INTERNAL_ERROR', `something went wrong: the log has the details under ${requestId}`)
}
