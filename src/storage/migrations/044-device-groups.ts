/** Groups of phones, as JSON, and the group that a message is for; NULL: none. */
export const deviceGroups = `
CREATE TABLE device_group (
  id TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX device_group_account ON device_group (account_id);
ALTER TABLE message ADD COLUMN device_group_id TEXT;
`
