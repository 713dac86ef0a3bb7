/**
 * The valid chains of tokens that were made from API keys. A chain is a token with those that renew it, one
 * after another. So it needs no list of the tokens that were revoked.
 */
export const keyTokenChains = `
CREATE TABLE key_token_chain (
  key_id TEXT NOT NULL,
  id TEXT NOT NULL,
  account_id TEXT NOT NULL REFERENCES account (id),
  -- The chain from which all chains of a family came. A token of one chain may begin another.
  family TEXT NOT NULL,
  -- How many times the chain was renewed.
  step INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  PRIMARY KEY (key_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX key_token_chain_expires ON key_token_chain (expires_at);
`
