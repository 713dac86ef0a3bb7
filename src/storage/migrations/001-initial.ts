/**
 * The first schema. Times are milliseconds since 1970, and days are whole days since 1970. Identifiers are
 * ULIDs with a prefix: they rise with time, so new ones are added at the end of an index. Tables are STRICT,
 * so that SQLite refuses a value of the wrong type.
 */
export const initial = `
CREATE TABLE account (
  id TEXT NOT NULL PRIMARY KEY,
  email TEXT NOT NULL UNIQUE,
  plan TEXT NOT NULL,
  password_hash TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE api_key (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  hash BLOB NOT NULL UNIQUE,
  name TEXT NOT NULL,
  test INTEGER NOT NULL,
  hint TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  revoked_at INTEGER
) STRICT;
CREATE INDEX api_key_account ON api_key (account_id);

CREATE TABLE usage_day (
  account_id TEXT NOT NULL REFERENCES account (id),
  day INTEGER NOT NULL,
  sms INTEGER NOT NULL,
  two_factor INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;

CREATE TABLE device (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  token_hash BLOB UNIQUE,
  name TEXT NOT NULL,
  platform TEXT,
  app_version TEXT,
  sims TEXT NOT NULL,
  battery INTEGER,
  charging INTEGER,
  signal INTEGER,
  paused INTEGER NOT NULL,
  segments_per_minute INTEGER,
  paired_at INTEGER NOT NULL,
  last_seen_at INTEGER NOT NULL,
  announced_online INTEGER NOT NULL,
  sent_day INTEGER NOT NULL,
  sent_count INTEGER NOT NULL,
  removed_at INTEGER
) STRICT;

CREATE TABLE pairing (
  code_hash BLOB NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  name TEXT,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE TABLE message (
  id TEXT NOT NULL PRIMARY KEY,
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
) STRICT, WITHOUT ROWID;
CREATE INDEX message_account ON message (account_id, test, id);
-- The open messages, which are read at each start, and when the queue of a phone goes to other phones.
CREATE INDEX message_open ON message (device_id)
  WHERE status IN ('queued', 'sending') OR (test = 1 AND status = 'sent');

CREATE TABLE idempotency (
  scope TEXT NOT NULL,
  key TEXT NOT NULL,
  body_hash TEXT NOT NULL,
  answer TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_at ON idempotency (at);

CREATE TABLE received (
  id TEXT NOT NULL PRIMARY KEY,
  device_id TEXT NOT NULL,
  account_id TEXT NOT NULL,
  phone_message_id TEXT NOT NULL,
  sender TEXT NOT NULL,
  text TEXT NOT NULL,
  sim_slot INTEGER,
  received_at INTEGER NOT NULL,
  UNIQUE (device_id, phone_message_id)
) STRICT;

-- One row: how many transactions were committed (storage/commit-mark.ts).
CREATE TABLE commit_count (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  count INTEGER NOT NULL
) STRICT;
INSERT INTO commit_count VALUES (1, 0);
`
