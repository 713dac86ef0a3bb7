/**
 * Names of calls from clients that were written for another gateway. Such a client finds all messages of one
 * call by the name of the call. The client chose the name, or it is the id of the call's first message. A
 * name has one row for each message of its call.
 */
export const messageCalls = `
CREATE TABLE message_call (
  message_id TEXT PRIMARY KEY,
  account_id TEXT NOT NULL,
  test INTEGER NOT NULL,
  name TEXT NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX message_call_name ON message_call (account_id, test, name);
`
