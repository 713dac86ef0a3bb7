/**
 * Puts the messages aside, for 019 to move them into a table whose rows are found by a number. `serial` is
 * when the message was accepted, in microseconds since 1970, each given once (`storage/message-serial.ts`).
 * So the order of the rows is that of time, a span of time is a range of them, and an index holds eight
 * bytes of each row in place of its identifier.
 *
 * A step of its own: from here on an older version, which would miss half of the messages, refuses the
 * database.
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
