/** Each time that the database was found behind its mark: what it had lost. */
export const commitLoss = `
CREATE TABLE commit_loss (
  at INTEGER NOT NULL,
  commits INTEGER NOT NULL,
  messages INTEGER NOT NULL
) STRICT;
`
