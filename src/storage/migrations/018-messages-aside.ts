/**
 * Renames the table of messages, from which 019 moves the rows into a new table with a number as its key.
 * `serial` is the time of acceptance in microseconds since 1970, made unique (`storage/message-serial.ts`).
 * So rows are stored in the order of time, a time span is a range of serials, and an index entry has eight
 * bytes instead of the identifier.
 *
 * This is a step of its own because 019 takes several transactions. While it runs, an older version would
 * miss the rows that are not moved yet; after this step, older versions refuse the database.
 */
export const messagesAside = `
DROP INDEX message_open;
ALTER TABLE message RENAME TO message_before;
CREATE TABLE message (
  serial INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  test INTEGER NOT NULL,
  kind TEXT NOT NULL,
  phone_number TEXT NOT NULL,
  country TEXT,
  text TEXT NOT NULL,
  segments INTEGER NOT NULL,
  encoding TEXT NOT NULL,
  priority TEXT NOT NULL,
  sim_slot INTEGER,
  pinned INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  notification_url TEXT,
  webhook_id TEXT,
  status TEXT NOT NULL,
  device_id TEXT,
  attempt INTEGER NOT NULL,
  not_before INTEGER NOT NULL,
  sent_at INTEGER,
  delivered_at INTEGER,
  failure TEXT,
  timeline TEXT NOT NULL
) STRICT;
`
