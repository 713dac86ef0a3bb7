/** How a device is reached; every one that was paired before runs the agent. */
export const deviceProtocol = `
ALTER TABLE device ADD COLUMN protocol TEXT NOT NULL DEFAULT 'roost';
`
