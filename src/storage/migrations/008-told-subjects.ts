/**
 * An index of final deliveries by their message: when retention removes the phone number of a message, it
 * also removes the notifications with that number. Pending deliveries have an index of their own.
 */
export const toldSubjects = `
CREATE INDEX notification_delivery_told ON notification_delivery (subject_id) WHERE status <> 'pending';
`
