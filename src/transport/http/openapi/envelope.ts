/** The envelope of all API answers. */
import * as v from 'valibot'
import { noted } from '#contracts/noted.ts'
import { PROBLEM_CODES } from '#contracts/problem.ts'

const count = v.pipe(v.number(), v.integer(), v.minValue(0))

export const Issue = v.object({
  path: noted(v.string(), 'The faulty field: keys and indexes joined by dots; empty: the body as a whole.'),
  message: noted(v.string(), 'What is wrong with the field, and how to fix it.'),
})

export const ProblemDetails = v.object({
  issues: noted(v.optional(v.array(Issue)), 'With INVALID_REQUEST: all faults of the request.'),
  limit: noted(v.optional(count), 'With RATE_LIMIT_EXCEEDED: the limit.'),
  used: noted(v.optional(count), 'With RATE_LIMIT_EXCEEDED: how much of the limit is used.'),
  resetAt: noted(
    v.optional(v.pipe(v.string(), v.isoTimestamp())),
    'With RATE_LIMIT_EXCEEDED: when the limit resets.',
  ),
})

export const ProblemCode = v.pipe(
  v.picklist(PROBLEM_CODES),
  v.description('The reason of the refusal. Programs should use this code, not the message.'),
)

export const ErrorEnvelope = v.object({
  success: noted(v.literal(false), 'Whether the request succeeded.'),
  error: noted(
    v.object({
      code: noted(ProblemCode, 'The reason. Programs should use this code, not the message.'),
      message: noted(v.string(), 'A sentence for people; its wording may change.'),
      details: noted(
        v.optional(ProblemDetails),
        'Further facts about the refusal; which ones depends on the code.',
      ),
    }),
    'The refusal.',
  ),
})

export const Page = v.object({
  nextCursor: noted(
    v.nullable(v.string()),
    'The value of `cursor` for the next page; null: this is the last page.',
  ),
  lookedBackTo: noted(
    v.optional(v.nullable(v.string())),
    'Only for messages. A page searches a bounded number of messages, so it may be short although more ' +
      'pages follow. The search is complete back to this time; null: to the end of the list.',
  ),
})
