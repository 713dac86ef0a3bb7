/** Keys of monitors: what is sent with one is freed of emoji and markup. */
export const cleanTextKeys = `
ALTER TABLE api_key ADD COLUMN clean_text INTEGER NOT NULL DEFAULT 0;
`
