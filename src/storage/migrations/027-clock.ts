/**
 * The last wall-clock time that retention believed, and for how long it has held back since because the clock
 * is far ahead of it, in milliseconds. In an older database the newest row says when the gateway last ran.
 */
export const clock = `
CREATE TABLE clock (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  seen_at INTEGER NOT NULL,
  held_ms INTEGER NOT NULL
) STRICT;
INSERT INTO clock SELECT 1, max(
  coalesce((SELECT created_at FROM message ORDER BY serial DESC LIMIT 1), 0),
  coalesce((SELECT max(last_seen_at) FROM device), 0)), 0;
`
