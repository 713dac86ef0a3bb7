/**
 * What phones reported in each half-hour: `half_hour` counts them since 1970, UTC. A half-hour in which the
 * phone was offline all the time has no row. The index is for retention.
 */
export const phoneHistory = `
CREATE TABLE phone_history (
  account_id TEXT NOT NULL,
  device_id TEXT NOT NULL,
  half_hour INTEGER NOT NULL,
  battery INTEGER,
  charging INTEGER,
  signal INTEGER,
  offline_minutes INTEGER NOT NULL,
  sent INTEGER NOT NULL,
  failed INTEGER NOT NULL,
  PRIMARY KEY (account_id, device_id, half_hour)
) STRICT, WITHOUT ROWID;
CREATE INDEX phone_history_age ON phone_history (half_hour);
`
