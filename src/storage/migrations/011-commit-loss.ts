/**
 * One row for each time that the database counted fewer commits than its commit mark
 * (storage/commit-loss.ts).
 */
export const commitLoss = `
CREATE TABLE commit_loss (
  at INTEGER NOT NULL,
  commits INTEGER NOT NULL,
  messages INTEGER NOT NULL
) STRICT;
`
