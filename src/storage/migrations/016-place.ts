/** Which file the database is, and where: at most one row, so that a copy can tell that it is one. */
export const place = `
CREATE TABLE place (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  machine TEXT,
  path TEXT NOT NULL,
  inode TEXT NOT NULL,
  born_at TEXT
) STRICT;
`
