/** The columns of the table `message`, made from the table of fields. */
import type { MessageStatus } from '#contracts/primitives.ts'
import type { Message, TimelineEntry } from '#domain/message/message.ts'
import { MESSAGE_FIELDS, type MessageField } from '#domain/message/message-fields.ts'
import { type Codec, type Column, columnsOf, type Kept, recordOf } from '#storage/columns.ts'
import type { Row } from '#storage/row.ts'

const TIMELINE: Codec = {
  read: value =>
    (JSON.parse(String(value)) as [MessageStatus, number, string?][]).map(([status, at, deviceId]) =>
      deviceId === undefined ? { status, at } : { status, at, deviceId },
    ),
  write: (entries: readonly TimelineEntry[]) =>
    JSON.stringify(
      entries.map(({ status, at, deviceId }) =>
        deviceId === undefined ? [status, at] : [status, at, deviceId],
      ),
    ),
}

const FIELDS = Object.entries<MessageField>(MESSAGE_FIELDS)

/** The columns of the fields of which this is true. */
export function messageColumns(isTrue: (field: MessageField, name: string) => boolean) {
  const chosen = FIELDS.filter(([name, field]) => field.column !== undefined && isTrue(field, name))
  const kept = ({ as }: MessageField): Kept => (as === 'timeline' ? TIMELINE : (as ?? 'plain'))
  const fields = Object.fromEntries(chosen.map(([name, field]) => [name, kept(field)]))
  return columnsOf<Message>(fields as Record<keyof Message, Kept>)
}

const COLUMNS: readonly Column<Message>[] = messageColumns(() => true)

/** Converts a row of the table `message`. */
export function messageOfRow(row: Row): Message {
  return recordOf(row, COLUMNS)
}
