/**
 * Filters of webhooks, alerts that `max_per_hour` refused and that the next summary will report (`held_…`),
 * and the history of triggers for the webhook's owner.
 */
export const webhookFilters = `
ALTER TABLE webhook ADD COLUMN min_severity TEXT;
ALTER TABLE webhook ADD COLUMN send_recovered INTEGER NOT NULL DEFAULT 1;
ALTER TABLE webhook ADD COLUMN summarize_overflow INTEGER NOT NULL DEFAULT 1;
ALTER TABLE webhook ADD COLUMN keep_last_body INTEGER NOT NULL DEFAULT 1;
ALTER TABLE webhook ADD COLUMN held_count INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook ADD COLUMN held_text TEXT;
ALTER TABLE webhook ADD COLUMN held_hash BLOB;

CREATE TABLE webhook_seen (
  seq INTEGER PRIMARY KEY,
  webhook_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  address TEXT NOT NULL,
  outcome TEXT NOT NULL,
  format TEXT,
  message TEXT
) STRICT;
CREATE INDEX webhook_seen_webhook ON webhook_seen (webhook_id, seq);
CREATE INDEX webhook_seen_at ON webhook_seen (at);

CREATE TABLE webhook_body (
  webhook_id TEXT NOT NULL PRIMARY KEY,
  at INTEGER NOT NULL,
  content_type TEXT,
  body TEXT NOT NULL
) STRICT;
CREATE INDEX webhook_body_at ON webhook_body (at);
`
