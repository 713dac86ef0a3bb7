/** With the number of a message its events go: those that wait have an index, this is for the others. */
export const toldSubjects = `
CREATE INDEX notification_delivery_told ON notification_delivery (subject_id) WHERE status <> 'pending';
`
