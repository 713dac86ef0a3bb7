/**
 * Failing targets of messages' own URLs: since when they fail, so that five days of failure are noticed
 * across restarts. A target that works has no row.
 */
export const notificationTargets = `
CREATE TABLE notification_target (
  lane TEXT NOT NULL PRIMARY KEY,
  failing_since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
