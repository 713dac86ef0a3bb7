/** An account token contains the account's `token_version`. Raising the version ends all earlier tokens. */
export const tokenVersion = `
ALTER TABLE account ADD COLUMN token_version INTEGER NOT NULL DEFAULT 0;
`
