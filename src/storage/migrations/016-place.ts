/**
 * Identifies the database file by machine, path, inode and birth time, so that a copy can be recognized
 * (storage/database-identity.ts).
 */
export const place = `
CREATE TABLE place (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  machine TEXT,
  path TEXT NOT NULL,
  inode TEXT NOT NULL,
  born_at TEXT
) STRICT;
`
