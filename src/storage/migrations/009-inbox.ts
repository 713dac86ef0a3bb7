/** The way to an account's received texts, newest first. */
export const inbox = `
CREATE INDEX received_account ON received (account_id, id);
`
