/**
 * Gives a primary key to the last tables without one: SQLite's sessions, which record what a transaction
 * changes, leave out rows without a key. `membership` says which cluster this copy of the database belongs
 * to, and which entries of the cluster's log it holds; without a row, it belongs to none.
 */
export const primaryKeys = `
CREATE TABLE keyed_trigger (
  serial INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  request_hash BLOB NOT NULL,
  -- JSON; the messages themselves stand in the table message.
  message_ids TEXT NOT NULL,
  incident_id TEXT,
  is_free INTEGER NOT NULL DEFAULT 0
) STRICT;
INSERT INTO keyed_trigger
  SELECT rowid, webhook_id, at, request_hash, message_ids, incident_id, is_free FROM webhook_trigger;
DROP TABLE webhook_trigger;
ALTER TABLE keyed_trigger RENAME TO webhook_trigger;
CREATE INDEX webhook_trigger_at ON webhook_trigger (webhook_id, at);
CREATE INDEX webhook_trigger_request ON webhook_trigger (webhook_id, request_hash);

CREATE TABLE keyed_text (serial INTEGER PRIMARY KEY, at INTEGER NOT NULL) STRICT;
INSERT INTO keyed_text SELECT rowid, at FROM alarm_text;
DROP TABLE alarm_text;
ALTER TABLE keyed_text RENAME TO alarm_text;

CREATE TABLE keyed_loss (
  serial INTEGER PRIMARY KEY,
  at INTEGER NOT NULL,
  commits INTEGER NOT NULL,
  messages INTEGER NOT NULL
) STRICT;
INSERT INTO keyed_loss SELECT rowid, at, commits, messages FROM commit_loss;
DROP TABLE commit_loss;
ALTER TABLE keyed_loss RENAME TO commit_loss;

CREATE TABLE membership (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  cluster_id TEXT NOT NULL,
  -- The last entry of the log that is in this copy, and the hash of all entries up to it.
  entry INTEGER NOT NULL,
  hash BLOB NOT NULL
) STRICT;
`
