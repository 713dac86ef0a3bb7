/** An index for the list of an account's received texts, in the order of their ids. */
export const inbox = `
CREATE INDEX received_account ON received (account_id, id);
`
