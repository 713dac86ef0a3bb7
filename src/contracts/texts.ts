/** Sent and received texts in one list, as the console shows them. */
import * as v from 'valibot'
import { ReceivedResource } from '#contracts/inbox.ts'
import { MessageResource } from '#contracts/message.ts'
import { noted } from '#contracts/noted.ts'
import { Instant } from '#contracts/primitives.ts'

/** Parts of the list. Waiting texts are queued or sending. */
export const TEXT_CUTS = ['waiting', 'failed', 'received'] as const
export type TextCut = (typeof TEXT_CUTS)[number]

const TextCount = v.object({
  count: noted(v.number(), 'How many; at most 1,000.'),
  isMore: noted(v.boolean(), 'There are more, or there may be more, which were not read.'),
})
export type TextCount = v.InferOutput<typeof TextCount>

export const TextsResource = v.object({
  texts: noted(v.array(v.union([MessageResource, ReceivedResource])), 'The newest first.'),
  counts: noted(
    v.nullable(v.object({ all: TextCount, waiting: TextCount, failed: TextCount, received: TextCount })),
    'How many texts each cut has, with the same search; null: not the first page.',
  ),
  day: noted(
    v.nullable(v.object({ words: v.string(), since: Instant, until: Instant })),
    'The words of the search that name a time, and this time; null: none do.',
  ),
})
export type TextsResource = v.InferOutput<typeof TextsResource>
export type TextResource = TextsResource['texts'][number]
