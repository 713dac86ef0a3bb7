/**
 * Gives a number to each incident that is not closed and has none: while an account held more than there
 * are numbers, the oldest had them, and those were closed as too many. As in `incidentColumns`, nothing may
 * depend on the clock.
 */
export const incidentNumbers = `
WITH RECURSIVE
  lacking AS (SELECT id, account_id, row_number() OVER (PARTITION BY account_id ORDER BY id) AS place
    FROM incident WHERE closed_at IS NULL AND number IS NULL),
  every (number) AS (SELECT 2 UNION ALL SELECT number + 1 FROM every WHERE number < 99),
  free AS (SELECT account_id, every.number,
      row_number() OVER (PARTITION BY account_id ORDER BY every.number) AS place
    FROM (SELECT DISTINCT account_id FROM lacking) AS account, every
    WHERE NOT EXISTS (SELECT 1 FROM incident WHERE incident.account_id = account.account_id
      AND incident.number = every.number AND closed_at IS NULL))
UPDATE incident SET number = free.number, content = json_set(content, '$.number', free.number)
FROM lacking JOIN free USING (account_id, place) WHERE incident.id = lacking.id;
`
