/** How the oldest delivery of an account that waits is found, and how those are counted. */
export const waitingDeliveries = `
CREATE INDEX notification_delivery_waiting ON notification_delivery (account_id, seq)
  WHERE status = 'pending';
`
