/** The frame around every answer of the API. */
import * as v from 'valibot'
import { PROBLEM_CODES } from '#contracts/problem.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Issue = v.object({
  path: v.pipe(
    v.string(),
    v.description('Where the fault is, with dots between keys and indexes; empty: the body as a whole.'),
  ),
  message: v.pipe(v.string(), v.description('What to do about it.')),
})

export const ProblemDetails = v.object({
  issues: v.optional(
    v.pipe(v.array(Issue), v.description('Of INVALID_REQUEST: every fault that was found.')),
  ),
  limit: v.optional(v.pipe(count, v.description('Of RATE_LIMIT_EXCEEDED: how much is allowed.'))),
  used: v.optional(v.pipe(count, v.description('Of RATE_LIMIT_EXCEEDED: how much of it is used.'))),
  resetAt: v.optional(
    v.pipe(v.string(), v.isoTimestamp(), v.description('Of RATE_LIMIT_EXCEEDED: when it is free again.')),
  ),
})

export const ProblemCode = v.pipe(
  v.picklist(PROBLEM_CODES),
  v.description('The closed list of refusals; programs should look at this, not at the message.'),
)

export const ErrorEnvelope = v.object({
  success: v.literal(false),
  error: v.object({
    code: ProblemCode,
    message: v.pipe(v.string(), v.description('For people; its wording may change.')),
    details: v.optional(ProblemDetails),
  }),
})

export const Page = v.object({
  nextCursor: v.pipe(
    v.nullable(v.string()),
    v.description('Give it as `cursor` for the next page; null: this was the last.'),
  ),
  lookedBackTo: v.optional(
    v.pipe(
      v.nullable(v.string()),
      v.description(
        'Of messages: a page looks at a bounded number of them, may be short and still have a next one. ' +
          'Down to this time nothing was left out; null: the whole list was looked at.',
      ),
    ),
  ),
})
