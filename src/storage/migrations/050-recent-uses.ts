/**
 * What counts towards a bound for an hour or a day: the texts and rings of a person, the rehearsals of an
 * account. `subject_id`: the person, or the account. `source_id`: the webhook or policy of the text.
 */
export const recentUses = `
CREATE TABLE recent_use (
  serial INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  subject_id TEXT NOT NULL,
  source_id TEXT,
  is_urgent INTEGER NOT NULL,
  until INTEGER NOT NULL
) STRICT;
CREATE INDEX recent_use_account ON recent_use (account_id, kind, subject_id, until);
CREATE INDEX recent_use_until ON recent_use (until);
`
