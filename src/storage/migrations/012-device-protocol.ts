/** The protocol of a device. Devices that were paired before this migration run the agent (`roost`). */
export const deviceProtocol = `
ALTER TABLE device ADD COLUMN protocol TEXT NOT NULL DEFAULT 'roost';
`
