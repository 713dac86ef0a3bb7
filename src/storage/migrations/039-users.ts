/**
 * The logins of an account. The login that an account had becomes its first user, with the rest of the
 * account's id, so that older tokens, which name only the account, are tokens of this user. `account.email`
 * stays: it is the e-mail address of one of the owners, and names the account. Also adds what was done by
 * whom.
 */
export const users = `
CREATE TABLE user (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL REFERENCES account (id),
  email TEXT NOT NULL UNIQUE,
  role TEXT NOT NULL,
  disabled INTEGER NOT NULL,
  -- NULL: none was chosen yet.
  password_hash TEXT,
  token_version INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  -- The SHA-256 of the token in the invitation link; NULL: there is no open invitation.
  invitation_hash BLOB UNIQUE,
  invited_until INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX user_account ON user (account_id);
INSERT INTO user
  SELECT 'usr_' || substr(id, 5), id, email, 'owner', 0, password_hash, token_version, created_at,
    NULL, NULL
  FROM account;
ALTER TABLE account DROP COLUMN password_hash;
ALTER TABLE account DROP COLUMN token_version;

ALTER TABLE session ADD COLUMN user_id TEXT NOT NULL DEFAULT '';
UPDATE session SET user_id = 'usr_' || substr(account_id, 5);
DROP INDEX session_account;
CREATE INDEX session_user ON session (user_id, used_at);

-- \`who\`: the id of a user or a key, or the command line. \`what\`: the command. \`which\`: an id or NULL.
CREATE TABLE audit (
  seq INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  at INTEGER NOT NULL,
  who TEXT NOT NULL,
  what TEXT NOT NULL,
  which TEXT
) STRICT;
CREATE INDEX audit_account ON audit (account_id, seq);
CREATE INDEX audit_at ON audit (at);
`
