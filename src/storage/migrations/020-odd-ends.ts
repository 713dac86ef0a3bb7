/** An index of the few messages that ended in a way that the owner should check, for the health rules. */
export const oddEnds = `
CREATE INDEX message_odd_end ON message (account_id)
  WHERE failure ->> '$.code' IN ('OUTCOME_UNKNOWN', 'RETRY_BRAKE');
`
