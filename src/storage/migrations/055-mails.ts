/** Mails that webhooks took, by what makes each one, so that one that comes again does no harm. */
export const mails = `
CREATE TABLE taken_mail (
  webhook_id TEXT NOT NULL,
  mail_hash BLOB NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (webhook_id, mail_hash)
) STRICT, WITHOUT ROWID;
CREATE INDEX taken_mail_at ON taken_mail (webhook_id, at);
`
