/**
 * Inbound webhooks, and a row for each trigger that was accepted in the last hour. `max_per_hour` counts
 * these rows, so that a crash or a restart does not reset the count.
 */
export const webhooks = `
CREATE TABLE webhook (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  token_hash BLOB NOT NULL UNIQUE,
  token_hint TEXT NOT NULL,
  name TEXT NOT NULL,
  recipients TEXT NOT NULL,
  max_per_hour INTEGER NOT NULL,
  message_template TEXT,
  allowed_ips TEXT NOT NULL,
  device_id TEXT,
  enabled INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  total INTEGER NOT NULL,
  rejected INTEGER NOT NULL,
  day INTEGER NOT NULL,
  on_day INTEGER NOT NULL,
  last_triggered_at INTEGER
) STRICT;
CREATE INDEX webhook_account ON webhook (account_id, id);

CREATE TABLE webhook_trigger (
  webhook_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  request_hash BLOB NOT NULL,
  -- JSON; the messages themselves stand in the table message.
  message_ids TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_trigger_at ON webhook_trigger (webhook_id, at);
CREATE INDEX webhook_trigger_request ON webhook_trigger (webhook_id, request_hash);
`
