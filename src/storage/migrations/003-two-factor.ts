/**
 * One-time codes, and indexes for retention. The message of a code has the text with the code masked in
 * `message.text`. The text to send is in `two_factor.text` until the message is final. `compared` is a bit
 * field: bit n - 1 is set after try n was compared with the code. The two indexes `…_kept` contain only rows
 * that retention has not emptied.
 */
export const twoFactor = `
CREATE TABLE two_factor (
  serial INTEGER PRIMARY KEY,
  message_id TEXT NOT NULL UNIQUE,
  account_id TEXT NOT NULL,
  test INTEGER NOT NULL,
  phone_number TEXT NOT NULL,
  mac BLOB NOT NULL,
  text TEXT,
  state TEXT NOT NULL CHECK (state IN ('open', 'used', 'superseded', 'expired')),
  tries INTEGER NOT NULL,
  compared INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  expires_at INTEGER NOT NULL
) STRICT;
CREATE INDEX two_factor_number ON two_factor (account_id, test, phone_number, serial);
CREATE INDEX two_factor_open ON two_factor (serial) WHERE state = 'open';
CREATE INDEX two_factor_expires ON two_factor (expires_at);

CREATE TABLE two_factor_failure (
  account_id TEXT NOT NULL,
  test INTEGER NOT NULL,
  phone_number TEXT NOT NULL,
  day INTEGER NOT NULL,
  failures INTEGER NOT NULL,
  PRIMARY KEY (account_id, test, phone_number)
) STRICT, WITHOUT ROWID;

CREATE INDEX message_kept ON message (created_at) WHERE phone_number <> '';
CREATE INDEX received_kept ON received (received_at) WHERE sender <> '' OR text <> '';
`
