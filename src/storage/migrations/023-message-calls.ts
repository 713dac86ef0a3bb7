/**
 * The calls of other gateways' clients that find their messages again by one name. The client chose the name,
 * or it is the id of the call's first message. Names repeat, because a call may have many messages.
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
