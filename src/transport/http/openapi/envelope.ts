/** The envelope of all API answers. */
import * as v from 'valibot'
import { PROBLEM_CODES } from '#contracts/problem.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Issue = v.object({
  path: v.pipe(
    v.string(),
    v.description('The faulty field: keys and indexes joined by dots; empty: the body as a whole.'),
  ),
  message: v.pipe(v.string(), v.description('What is wrong with the field, and how to fix it.')),
})

export const ProblemDetails = v.object({
  issues: v.optional(
    v.pipe(v.array(Issue), v.description('With INVALID_REQUEST: all faults of the request.')),
  ),
  limit: v.optional(v.pipe(count, v.description('With RATE_LIMIT_EXCEEDED: the limit.'))),
  used: v.optional(v.pipe(count, v.description('With RATE_LIMIT_EXCEEDED: how much of the limit is used.'))),
  resetAt: v.optional(
    v.pipe(v.string(), v.isoTimestamp(), v.description('With RATE_LIMIT_EXCEEDED: when the limit resets.')),
  ),
})

export const ProblemCode = v.pipe(
  v.picklist(PROBLEM_CODES),
  v.description('The reason of the refusal. Programs should use this code, not the message.'),
)

export const ErrorEnvelope = v.object({
  success: v.literal(false),
  error: v.object({
    code: ProblemCode,
    message: v.pipe(v.string(), v.description('A sentence for people; its wording may change.')),
    details: v.optional(ProblemDetails),
  }),
})

export const Page = v.object({
  nextCursor: v.pipe(
    v.nullable(v.string()),
    v.description('The value of `cursor` for the next page; null: this is the last page.'),
  ),
  lookedBackTo: v.optional(
    v.pipe(
      v.nullable(v.string()),
      v.description(
        'Only for messages. A page searches a bounded number of messages, so it may be short although more ' +
          'pages follow. The search is complete back to this time; null: to the end of the list.',
      ),
    ),
  ),
})
