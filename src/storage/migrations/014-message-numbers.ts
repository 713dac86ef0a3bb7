/**
 * Finds the messages to a number without looking at the others. The first nine characters of the key stand
 * first (`msg_` and the upper half of the time, 9.3 hours each), so that a new message is put into the small
 * part of the index that is at work, however many months the whole is of. A look-up asks once for each part.
 * What retention emptied is not in it.
 */
export const messageNumbers = `
CREATE INDEX message_number ON message (substr(id, 1, 9), phone_number) WHERE phone_number <> '';
`
