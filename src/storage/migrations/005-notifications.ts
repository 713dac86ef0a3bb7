/**
 * Notifications: the URL and events of each account, and a row for each delivery. SQLite numbers the
 * deliveries (`seq`), because identifiers do not keep their order when the clock is set back. The indexes
 * that contain only pending deliveries stay small.
 */
export const notifications = `
CREATE TABLE notification_setting (
  account_id TEXT NOT NULL PRIMARY KEY REFERENCES account (id),
  url TEXT,
  events TEXT NOT NULL,
  enabled INTEGER NOT NULL,
  secret TEXT NOT NULL,
  secret_shown INTEGER NOT NULL,
  disabled_reason TEXT,
  disabled_at INTEGER,
  failing_since INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE notification_delivery (
  seq INTEGER PRIMARY KEY AUTOINCREMENT,
  id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  event TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  own_url TEXT,
  lane TEXT NOT NULL,
  body TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  status TEXT NOT NULL,
  attempts INTEGER NOT NULL,
  tries INTEGER NOT NULL,
  next_at INTEGER NOT NULL,
  sent_to TEXT,
  response_status INTEGER,
  error TEXT,
  log TEXT NOT NULL
) STRICT;
CREATE INDEX notification_delivery_missed ON notification_delivery (account_id, created_at)
  WHERE status IN ('failed', 'cancelled');
CREATE INDEX notification_delivery_account ON notification_delivery (account_id, seq);
CREATE INDEX notification_delivery_lane ON notification_delivery (lane, next_at, seq)
  WHERE status = 'pending';
CREATE INDEX notification_delivery_due ON notification_delivery (next_at) WHERE status = 'pending';
CREATE INDEX notification_delivery_subject ON notification_delivery (subject_id, seq)
  WHERE status = 'pending';
CREATE INDEX notification_delivery_old ON notification_delivery (created_at) WHERE status <> 'pending';
`
