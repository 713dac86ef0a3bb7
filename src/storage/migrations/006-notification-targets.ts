/**
 * The time since which a target has been failing, for URLs that single messages name. A target that fails for
 * five days gets no more deliveries, even across restarts. A target that works has no row.
 */
export const notificationTargets = `
CREATE TABLE notification_target (
  lane TEXT NOT NULL PRIMARY KEY,
  failing_since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
