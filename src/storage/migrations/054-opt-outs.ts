/**
 * The numbers that want no more texts of an account; `test`: in the sandbox. Texts that go all the same are
 * marked: the gateway's own words to its people, and what a person has sent on purpose.
 */
export const optOuts = `
CREATE TABLE opt_out (
  seq INTEGER PRIMARY KEY,
  account_id TEXT NOT NULL,
  test INTEGER NOT NULL,
  phone_number TEXT NOT NULL,
  since INTEGER NOT NULL,
  by TEXT NOT NULL,
  UNIQUE (account_id, phone_number, test)
) STRICT;
CREATE INDEX opt_out_list ON opt_out (account_id, test, seq);

ALTER TABLE message ADD COLUMN despite_opt_out INTEGER;
`
