/**
 * The driver of a device's agent, as it last reported it. It stays when the device is removed, so that the
 * texts of a pretend phone do not look like sent ones.
 */
export const deviceDriver = `
ALTER TABLE device ADD COLUMN driver TEXT;
`
