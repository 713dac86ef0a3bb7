/** Removed accounts of which large tables still have rows. These are removed in small parts. */
export const removedAccounts = `
CREATE TABLE removed_account (
  id TEXT NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;
`
