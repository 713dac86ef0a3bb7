/**
 * Alarms that are raised or were cleared within the last day. `told` records which texts about an alarm the
 * owner was already sent, so that a killed process sends no text twice. `alarm_text` has a row for each alarm
 * text of the last hour.
 */
export const alarms = `
CREATE TABLE alarm (
  account_id TEXT NOT NULL,
  code TEXT NOT NULL,
  subject TEXT NOT NULL,
  severity TEXT NOT NULL,
  message TEXT NOT NULL,
  since INTEGER NOT NULL,
  raised_at INTEGER NOT NULL,
  cleared_at INTEGER,
  returns INTEGER NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (account_id, code, subject)
) STRICT, WITHOUT ROWID;

CREATE TABLE alarm_text (at INTEGER NOT NULL) STRICT;
`
