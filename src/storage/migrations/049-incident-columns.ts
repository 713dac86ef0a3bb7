/**
 * Columns for what alerts ask about incidents, so that none is parsed to find one. The timeline stands apart
 * from `content`, which many look at, and the things of an incident that is not closed are rows. What is
 * above a bound (60 of a webhook, 98 of an account, rehearsals that ended, 10,000 closed ones) is closed or
 * deleted here, where it makes no text, alarm or notification. Each member of a cluster does this by itself,
 * so nothing may depend on the clock.
 */
export const incidentColumns = `
ALTER TABLE incident ADD COLUMN number INTEGER;
ALTER TABLE incident ADD COLUMN alert_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE incident ADD COLUMN due_at INTEGER;
ALTER TABLE incident ADD COLUMN timeline TEXT NOT NULL DEFAULT '[]';
UPDATE incident SET number = content ->> '$.number', alert_at = content ->> '$.alertAt',
  due_at = content ->> '$.dueAt', timeline = content -> '$.timeline',
  content = json_remove(content, '$.timeline');

CREATE TABLE surplus (id TEXT NOT NULL PRIMARY KEY) STRICT;
INSERT INTO surplus SELECT id FROM (
  SELECT id, webhook_id, state, content, row_number() OVER (
    PARTITION BY account_id, webhook_id ORDER BY state = 'unanswered', id DESC) AS place
  FROM incident WHERE closed_at IS NULL)
WHERE webhook_id NOT NULL AND place > 60 OR state = 'unanswered' AND content ->> '$.isRehearsal';
INSERT INTO surplus SELECT id FROM (
  SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY state = 'unanswered', id DESC) AS place
  FROM incident WHERE closed_at IS NULL AND id NOT IN (SELECT id FROM surplus))
WHERE place > 98;
DELETE FROM alarm WHERE code = 'INCIDENT_UNANSWERED' AND subject IN (SELECT id FROM surplus);
UPDATE incident SET state = 'closed', due_at = NULL,
  closed_at = coalesce(timeline ->> '$[#-1].at', alert_at),
  timeline = json_insert(timeline, '$[#]', json_object('at', coalesce(timeline ->> '$[#-1].at', alert_at),
    'event', 'closed', 'personId', NULL, 'messageId', NULL, 'detail', 'too many'))
WHERE id IN (SELECT id FROM surplus);
UPDATE incident SET content = json_set(content, '$.state', 'closed', '$.closedAt', closed_at,
  '$.dueAt', NULL, '$.pending', json('[]'), '$.ringAgain', json('[]')) WHERE id IN (SELECT id FROM surplus);
DROP TABLE surplus;
DELETE FROM incident WHERE id IN (SELECT id FROM (
  SELECT id, row_number() OVER (PARTITION BY account_id ORDER BY closed_at DESC) AS place
  FROM incident WHERE closed_at NOT NULL) WHERE place > 10000);

-- From now on an unanswered one is due a day after it became so, which \`roundAt\` says.
UPDATE incident SET due_at = coalesce(timeline ->> '$[#-1].at', alert_at) + 86400000
WHERE state = 'unanswered';
UPDATE incident SET content = json_set(content, '$.roundAt', due_at - 86400000, '$.dueAt', due_at)
WHERE state = 'unanswered';

-- \`key\`: empty for the thing that no alert named.
CREATE TABLE incident_thing (
  incident_id TEXT NOT NULL,
  key TEXT NOT NULL,
  place INTEGER NOT NULL,
  account_id TEXT NOT NULL,
  webhook_id TEXT,
  is_over INTEGER NOT NULL,
  PRIMARY KEY (incident_id, key)
) STRICT, WITHOUT ROWID;
INSERT OR IGNORE INTO incident_thing
  SELECT incident.id, coalesce(thing.value ->> '$.key', ''), thing.key, account_id, webhook_id,
    thing.value ->> '$.isOver'
  FROM incident, json_each(content, '$.things') AS thing WHERE closed_at IS NULL;
UPDATE incident SET content = json_remove(content, '$.things');

CREATE INDEX incident_thing_key ON incident_thing (account_id, webhook_id, key);
CREATE INDEX incident_live ON incident (account_id, state, webhook_id) WHERE closed_at IS NULL;
CREATE INDEX incident_webhook ON incident (webhook_id, id, state, alert_at) WHERE closed_at IS NULL;
CREATE INDEX incident_number ON incident (account_id, number, closed_at);
CREATE INDEX incident_ended ON incident (account_id, closed_at) WHERE closed_at NOT NULL;
CREATE INDEX incident_due ON incident (due_at) WHERE due_at NOT NULL;
`
