/**
 * Keys with `clean_text`, for monitoring programs: emoji and markup are removed from texts sent with them.
 */
export const cleanTextKeys = `
ALTER TABLE api_key ADD COLUMN clean_text INTEGER NOT NULL DEFAULT 0;
`
