/**
 * Drills; and of each phone the number that its owner wrote down, its plan of drills, and what they proved.
 * A code is looked up for each received text that may have one.
 */
export const drills = `
CREATE TABLE drill (
  id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  to_device_id TEXT,
  message_id TEXT,
  code TEXT,
  by TEXT NOT NULL,
  day INTEGER,
  role TEXT NOT NULL,
  first_id TEXT,
  at INTEGER NOT NULL,
  has_left INTEGER NOT NULL,
  waited_ms INTEGER NOT NULL,
  open_ms INTEGER NOT NULL,
  outcome TEXT,
  reason TEXT,
  took_ms INTEGER,
  ended_at INTEGER
) STRICT;
CREATE INDEX drill_device ON drill (device_id, id);
CREATE INDEX drill_code ON drill (account_id, code) WHERE code IS NOT NULL;
CREATE INDEX drill_message ON drill (message_id) WHERE message_id IS NOT NULL;
CREATE INDEX drill_open ON drill (account_id) WHERE outcome IS NULL;
CREATE INDEX drill_series ON drill (first_id) WHERE first_id IS NOT NULL;

ALTER TABLE device ADD COLUMN phone_number TEXT;
ALTER TABLE device ADD COLUMN drill TEXT;
ALTER TABLE device ADD COLUMN proof TEXT;
`
