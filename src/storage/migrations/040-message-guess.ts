/** Whether Roost worded the alert of a message by a guess. */
export const messageGuess = `
ALTER TABLE message ADD COLUMN guess INTEGER NOT NULL DEFAULT 0;
`
