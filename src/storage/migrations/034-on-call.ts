/**
 * People, rotas and policies; `content` is JSON. The owner makes them one by one, so retention leaves them.
 * `policy_id` of a webhook: the policy by which its alerts become incidents; NULL: none.
 */
export const onCall = `
CREATE TABLE person (id TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX person_account ON person (account_id);
CREATE TABLE rota (id TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX rota_account ON rota (account_id);
CREATE TABLE policy (id TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX policy_account ON policy (account_id);

ALTER TABLE webhook ADD COLUMN policy_id TEXT;
`
