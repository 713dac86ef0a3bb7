/**
 * What a request to a webhook was about: NULL: nothing that can be named; empty: it was no request, but words
 * of Roost's own. A row with empty `message_ids` is a request that was filtered or gathered: what came before
 * it is no longer repeated.
 */
export const repeats = `
ALTER TABLE webhook_trigger ADD COLUMN thing TEXT;
`
