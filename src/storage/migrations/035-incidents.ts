/**
 * Incidents. The columns are those that queries need; `content` (JSON) has the whole incident. A
 * row of `webhook_trigger` names the incident of its alert. Alerts without a text of their own do not count
 * towards the cap (`is_free`).
 */
export const incidents = `
CREATE TABLE incident (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  webhook_id TEXT,
  state TEXT NOT NULL,
  opened_at INTEGER NOT NULL,
  closed_at INTEGER,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX incident_account ON incident (account_id, id);
CREATE INDEX incident_closed ON incident (closed_at, account_id);

ALTER TABLE webhook_trigger ADD COLUMN incident_id TEXT;
ALTER TABLE webhook_trigger ADD COLUMN is_free INTEGER NOT NULL DEFAULT 0;
`
