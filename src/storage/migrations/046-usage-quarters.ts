/**
 * Counters by quarter-hour instead of by UTC day, because days begin at another time in each time zone, and
 * all zones are whole quarters apart. The days before the update are at their noon: there the date is the
 * same nearly everywhere. The index is for retention; a row that only grows does not touch it.
 */
export const usageQuarters = `
CREATE TABLE usage_quarter (
  account_id TEXT NOT NULL,
  quarter INTEGER NOT NULL,
  accepted INTEGER NOT NULL, delivered INTEGER NOT NULL, sent INTEGER NOT NULL, failed INTEGER NOT NULL,
  received INTEGER NOT NULL, two_factor INTEGER NOT NULL, alerts INTEGER NOT NULL,
  d1 INTEGER NOT NULL, d2 INTEGER NOT NULL, d3 INTEGER NOT NULL, d5 INTEGER NOT NULL, d10 INTEGER NOT NULL,
  d30 INTEGER NOT NULL, d60 INTEGER NOT NULL, d300 INTEGER NOT NULL, d1800 INTEGER NOT NULL,
  d7200 INTEGER NOT NULL, d_more INTEGER NOT NULL,
  PRIMARY KEY (account_id, quarter)
) STRICT, WITHOUT ROWID;
INSERT INTO usage_quarter
  SELECT account_id, day * 96 + 48, accepted, delivered, sent, failed, received, two_factor, alerts,
    d1, d2, d3, d5, d10, d30, d60, d300, d1800, d7200, d_more
  FROM day_count;
DROP TABLE day_count;
CREATE INDEX usage_quarter_age ON usage_quarter (quarter);
`
