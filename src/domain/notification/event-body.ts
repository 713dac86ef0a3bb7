import { NotificationEvent } from '#contracts/notification-event.ts'

/** An event before it is stored: its name, its data, and its time in milliseconds since 1970. */
export type EventFacts = {
  [Event in NotificationEvent as Event['event']]: {
    readonly event: Event['event']
    readonly at: number
    readonly data: Omit<Event['data'], 'test'>
    /** The message was made with a test key. */
    readonly test?: boolean
  }
}[NotificationEvent['event']]

/** What each event may say. */
const DATA = new Map(NotificationEvent.options.map(({ entries }) => [entries.event.literal, entries.data]))

/**
 * Makes the JSON text of an event. This text is stored, signed and sent unchanged, because making it again
 * for a retry could change a byte and so the signature. Only what the schema of the event names is taken from
 * the data, so that no other field of a row (a text, a note) is sent.
 */
export function eventBody({ event, at, data, test = false }: EventFacts): string {
  const said = named(DATA.get(event) as Shape, { ...data, ...(test && { test }) })
  return JSON.stringify({ event, timestamp: new Date(at).toISOString(), data: said })
}

interface Shape {
  readonly entries?: Readonly<Record<string, Shape>>
  readonly item?: Shape
  readonly wrapped?: Shape
}

/** The part of a value that a schema names. Nothing is checked. */
function named({ entries, item, wrapped }: Shape, value: unknown): unknown {
  if (value == null) return value
  if (wrapped !== undefined) return named(wrapped, value)
  if (item !== undefined) return (value as unknown[]).map(one => named(item, one))
  if (entries === undefined) return value
  const fields = value as Readonly<Record<string, unknown>>
  return Object.fromEntries(
    Object.entries(entries).map(([name, shape]) => [name, named(shape, fields[name])]),
  )
}
