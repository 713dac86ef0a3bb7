/**
 * Counters by UTC day: messages and their outcomes, received texts, one-time codes and alerts. The columns
 * `d…` are a histogram of the time to delivery: the number in the name is the upper bound of the bucket,
 * seconds.
 */
export const dayCounts = `
CREATE TABLE day_count (
  account_id TEXT NOT NULL,
  day INTEGER NOT NULL,
  accepted INTEGER NOT NULL, delivered INTEGER NOT NULL, sent INTEGER NOT NULL, failed INTEGER NOT NULL,
  received INTEGER NOT NULL, two_factor INTEGER NOT NULL, alerts INTEGER NOT NULL,
  d1 INTEGER NOT NULL, d2 INTEGER NOT NULL, d3 INTEGER NOT NULL, d5 INTEGER NOT NULL, d10 INTEGER NOT NULL,
  d30 INTEGER NOT NULL, d60 INTEGER NOT NULL, d300 INTEGER NOT NULL, d1800 INTEGER NOT NULL,
  d7200 INTEGER NOT NULL, d_more INTEGER NOT NULL,
  PRIMARY KEY (account_id, day)
) STRICT, WITHOUT ROWID;
`
