/**
 * Targets that only messages name and that fail: since when, so that five days of it are noticed whatever the
 * gateway is restarted. A target that works has no row.
 */
export const notificationTargets = `
CREATE TABLE notification_target (
  lane TEXT NOT NULL PRIMARY KEY,
  failing_since INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
`
