/**
 * Removes two b-trees, because a lone send writes a page of each b-tree that it touches. `message_kept` found
 * the messages that retention empties; `message_number` and the serials find them, too. `usage_day` counted
 * the same messages as `day_count`, whose `accepted` includes the one-time codes. Days that `day_count` did
 * not see whole get the higher count.
 *
 * Adds one that a send does not touch: `message_failed` finds the failed messages of an account.
 */
export const messageTrees = `
DROP INDEX message_kept;
INSERT INTO day_count
  SELECT account_id, day, sms + two_factor, 0, 0, 0, 0, two_factor, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0
  FROM usage_day WHERE true
  ON CONFLICT DO UPDATE SET accepted = max(accepted, excluded.accepted),
    two_factor = max(two_factor, excluded.two_factor);
DROP TABLE usage_day;
CREATE INDEX message_failed ON message (account_id, test) WHERE status = 'failed';
`
