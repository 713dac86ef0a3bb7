/** An index of the received texts that retention has emptied, so that it can delete them later. */
export const emptiedReceived = `
CREATE INDEX received_emptied ON received (received_at) WHERE sender = '' AND text = '';
`
