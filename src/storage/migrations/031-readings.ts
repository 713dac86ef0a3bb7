/**
 * What owners have settled about the alerts of their webhooks (JSON, by shape), how many texts were guessed
 * (JSON, by day), and the request of each trigger in the history. Until now only the last body was kept.
 */
export const readings = `
ALTER TABLE webhook ADD COLUMN readings TEXT NOT NULL DEFAULT '{}';
ALTER TABLE webhook ADD COLUMN guesses TEXT NOT NULL DEFAULT '{}';

ALTER TABLE webhook_seen ADD COLUMN guess INTEGER NOT NULL DEFAULT 0;
ALTER TABLE webhook_seen ADD COLUMN shape TEXT;
-- Null: the request is not kept. The long columns stand last, because SQLite reads a row from its start.
ALTER TABLE webhook_seen ADD COLUMN content_type TEXT;
ALTER TABLE webhook_seen ADD COLUMN confirmation_url TEXT;
ALTER TABLE webhook_seen ADD COLUMN headers TEXT;
ALTER TABLE webhook_seen ADD COLUMN fields TEXT;
ALTER TABLE webhook_seen ADD COLUMN body TEXT;

-- The last body belongs to the trigger whose time is nearest: min() makes SQLite take the row that has it.
UPDATE webhook_seen SET headers = '{}', fields = '[]', content_type = last.content_type, body = last.body
FROM (
  SELECT seen.seq AS nearest, kept.content_type, kept.body, min(abs(seen.at - kept.at))
  FROM webhook_seen AS seen JOIN webhook_body AS kept USING (webhook_id) GROUP BY webhook_id
) AS last WHERE seq = last.nearest;
DROP TABLE webhook_body;
`
