/** Sent and received texts as one list. */
import type { InboxPage, ReceivedText } from '#domain/inbox/inbox-reader.ts'
import type { Message } from '#domain/message/message.ts'
import type { MessageSlice } from '#domain/message/message-reader.ts'

/** Where a page begins in each of the two lists. Null: at its newest text. `end`: it has none left. */
export interface TextsPlace {
  readonly sent: number | 'end' | null
  readonly received: string | 'end' | null
}

type Text = { readonly sent: Message } | { readonly received: ReceivedText }

export interface TextsPage {
  /** Newest first. */
  readonly texts: readonly Text[]
  /** Null: this is the last page. A short page may still have a next one. */
  readonly next: TextsPlace | null
}

interface Head<Place> {
  readonly at: number
  readonly place: Place
  readonly text: Text
}

/**
 * Merges a page of each list, which begin at `from`. Each keeps its own order. Where one of them has not been
 * read further back, older texts of the other wait for the next page, because some may be between them.
 */
export function mergeTexts(
  { sent, received }: { readonly sent: MessageSlice; readonly received: InboxPage },
  { from, limit }: { readonly from: TextsPlace; readonly limit: number },
): TextsPage {
  const said = new List(
    sent,
    sent.messages.map((one, nth) => headOf(one.createdAt, sent.places[nth] ?? 0, { sent: one })),
  )
  const heard = new List(
    received,
    received.received.map(one => headOf(one.receivedAt, one.id, { received: one })),
  )
  const texts: Text[] = []
  while (texts.length < limit) {
    const later = said.at >= heard.at ? said : heard
    const text = later.take()
    if (text === null) break
    texts.push(text)
  }
  const next = { sent: said.nextFrom(from.sent), received: heard.nextFrom(from.received) }
  return { texts, next: next.sent === 'end' && next.received === 'end' ? null : next }
}

function headOf<Place>(at: number, place: Place, text: Text): Head<Place> {
  return { at, place, text }
}

/** What is left of a page. */
class List<Place> {
  readonly #heads: readonly Head<Place>[]
  readonly #page: { readonly next: Place | null; readonly lookedBackTo: number | null }
  #taken = 0

  constructor(page: { next: Place | null; lookedBackTo: number | null }, heads: readonly Head<Place>[]) {
    this.#page = page
    this.#heads = heads
  }

  /** The time of the next text, or back to which there is none. */
  get at(): number {
    return this.#heads[this.#taken]?.at ?? this.#page.lookedBackTo ?? Number.NEGATIVE_INFINITY
  }

  /** Null: what follows is not read. */
  take(): Text | null {
    return this.#heads[this.#taken++]?.text ?? null
  }

  nextFrom(from: Place | 'end' | null): Place | 'end' | null {
    if (this.#taken >= this.#heads.length) return this.#page.next ?? 'end'
    return this.#heads[this.#taken - 1]?.place ?? from
  }
}
