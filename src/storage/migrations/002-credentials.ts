/**
 * Credentials of people: the setup link, account tokens that were revoked, and addresses with a successful
 * log-in.
 */
export const credentials = `
-- At most one setup link is open; a newer one takes its place.
CREATE TABLE setup_token (
  only INTEGER PRIMARY KEY CHECK (only = 1),
  hash BLOB NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  expires_at INTEGER NOT NULL
) STRICT;

-- Kept until the token would have expired by itself.
CREATE TABLE revoked_token (
  jti TEXT NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX revoked_token_expires ON revoked_token (expires_at);

-- Addresses with a successful log-in. Failed attempts from other addresses never slow them down.
CREATE TABLE login_address (
  account_id TEXT NOT NULL REFERENCES account (id),
  address TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;
`
