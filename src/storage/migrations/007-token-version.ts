/** A token says which version it is of; those of another than the account's are worthless. */
export const tokenVersion = `
ALTER TABLE account ADD COLUMN token_version INTEGER NOT NULL DEFAULT 0;
`
