/**
 * An index, for the health rules, of the few messages whose text the owner should check: it may have been
 * sent, or the retry brake stopped it.
 */
export const textsToCheck = `
CREATE INDEX message_odd_end ON message (account_id)
  WHERE failure ->> '$.code' IN ('OUTCOME_UNKNOWN', 'RETRY_BRAKE');
`
