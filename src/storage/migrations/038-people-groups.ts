/**
 * Groups of people, as the other tables of `onCall`. `people` of a webhook: JSON ids of the people and groups
 * who get its texts, too.
 */
export const peopleGroups = `
CREATE TABLE people_group (
  id TEXT NOT NULL PRIMARY KEY, account_id TEXT NOT NULL, content TEXT NOT NULL) STRICT;
CREATE INDEX people_group_account ON people_group (account_id);

ALTER TABLE webhook ADD COLUMN people TEXT NOT NULL DEFAULT '[]';
`
