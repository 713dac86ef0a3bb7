/** When a received text was sent, by the clock of the network or the phone; null: unknown. */
export const receivedSentAt = `
ALTER TABLE received ADD COLUMN sent_at INTEGER;
`
