/** What the texts to the owner say about an alarm, in the language of texts; empty: as `message`. */
export const alarmWords = `
ALTER TABLE alarm ADD COLUMN said TEXT NOT NULL DEFAULT '';
`
