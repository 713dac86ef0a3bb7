/**
 * Storms and silence of webhooks. `silent_at`: when SILENT is due; NULL: it was sent, or silence is not
 * watched. `noticed_at`: the last text about a first refusal. A row of `webhook_storm` holds what was
 * gathered (or `held` back by the cap) and is not told yet. `next_at`: when it is told; NULL: no storm.
 */
export const storms = `
ALTER TABLE webhook ADD COLUMN gather INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook ADD COLUMN silent_after_minutes INTEGER;
ALTER TABLE webhook ADD COLUMN heard_at INTEGER;
ALTER TABLE webhook ADD COLUMN silent_at INTEGER;
ALTER TABLE webhook ADD COLUMN noticed_at INTEGER;

CREATE TABLE webhook_storm (
  webhook_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  last_alert_at INTEGER NOT NULL,
  next_at INTEGER,
  step INTEGER NOT NULL,
  -- JSON
  gathered TEXT NOT NULL,
  PRIMARY KEY (webhook_id, kind)
) STRICT;
`
