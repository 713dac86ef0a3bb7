/**
 * Forwards, with all their settings in `content` (JSON). `failing_since` has a column, because a clock that
 * is set forward moves it in all rows. A delivery with a `forward_id` passes a received text on.
 */
export const forwards = `
CREATE TABLE forward (
  id TEXT NOT NULL PRIMARY KEY,
  account_id TEXT NOT NULL,
  failing_since INTEGER,
  content TEXT NOT NULL
) STRICT;
CREATE INDEX forward_account ON forward (account_id, id);

ALTER TABLE notification_delivery ADD COLUMN forward_id TEXT;
`
