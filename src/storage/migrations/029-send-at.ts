/** The time before which a message must not be sent, as its caller asked. NULL: it may be sent at once. */
export const sendAt = `
ALTER TABLE message ADD COLUMN send_at INTEGER;
`
