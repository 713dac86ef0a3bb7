/** Finds messages that ended in a way that the owner should know of: few, however many others there are. */
export const oddEnds = `
CREATE INDEX message_odd_end ON message (account_id)
  WHERE failure ->> '$.code' IN ('OUTCOME_UNKNOWN', 'RETRY_BRAKE');
`
