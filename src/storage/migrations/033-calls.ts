/** Whether a device can ring people (`calls`), and hands in received texts (`receives`). NULL: not known. */
export const deviceCalls = `
ALTER TABLE device ADD COLUMN calls INTEGER;
ALTER TABLE device ADD COLUMN receives INTEGER;
`
