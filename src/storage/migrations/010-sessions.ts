/**
 * Sessions of browsers. A session's secret has two halves, one in a cookie and one in the page; the table
 * holds only their hashes. Also adds the time of a key's last use.
 */
export const sessions = `
CREATE TABLE session (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  cookie_hash BLOB NOT NULL UNIQUE,
  half_hash BLOB NOT NULL,
  created_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  address TEXT NOT NULL,
  browser TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX session_account ON session (account_id, used_at);

ALTER TABLE api_key ADD COLUMN last_used_at INTEGER;
`
