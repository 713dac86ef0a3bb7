/**
 * For each target that fails, the time since which it has been failing. This table is for targets that a
 * message names itself. A target that fails for five days gets no more deliveries, even across restarts.
 */
export const notificationTargets = `
CREATE TABLE notification_target (
  lane TEXT NOT NULL PRIMARY KEY,
  failing_since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
