/** An index, for the health rules, of the few planned texts that expired before a phone sent them. */
export const plannedExpired = `
CREATE INDEX message_planned_expired ON message (account_id)
  WHERE send_at IS NOT NULL AND failure ->> '$.code' = 'EXPIRED';
`
