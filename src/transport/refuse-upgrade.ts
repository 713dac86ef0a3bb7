import type { HttpResponse } from 'uWebSockets.js'
import type { Problem } from '#domain/problem.ts'
import type { RateDecision } from '#domain/rate-limit/rate-limiter.ts'
import { writeRate } from '#transport/http/exchange.ts'
import { STATUS_LINES } from '#transport/http/http-answer.ts'
import { problemAnswer } from '#transport/http/problem-response.ts'

/** Refuses a request to open a WebSocket, and closes the connection. */
export function refuseUpgrade(
  res: HttpResponse,
  problem: Problem,
  { id, rate }: { readonly id: string; readonly rate?: RateDecision },
): void {
  const answer = problemAnswer(problem)
  res.cork(() => {
    res.writeStatus(STATUS_LINES[answer.status] ?? String(answer.status))
    res.writeHeader('Content-Type', answer.contentType)
    res.writeHeader('X-Request-Id', id)
    if (rate !== undefined) writeRate(res, rate)
    for (const [name, value] of Object.entries(answer.headers ?? {})) res.writeHeader(name, value)
    res.end(answer.body, true)
  })
}
