/**
 * The SHA-256 of the token in the mail address of a webhook; NULL: its token is older than mail addresses,
 * and a new token brings one.
 */
export const mailTokens = `
ALTER TABLE webhook ADD COLUMN mail_hash BLOB;
CREATE UNIQUE INDEX webhook_mail ON webhook (mail_hash) WHERE mail_hash IS NOT NULL;
`
