/**
 * Caps of a SIM, NULL: none, and what the phone sent: `segment_days` is JSON, [day, segments] of its last
 * days (whole days since 1970, UTC).
 */
export const caps = `
ALTER TABLE device ADD COLUMN sms_per_day_max INTEGER;
ALTER TABLE device ADD COLUMN sms_per_month_max INTEGER;
ALTER TABLE device ADD COLUMN month_starts_on INTEGER NOT NULL DEFAULT 1;
ALTER TABLE device ADD COLUMN segment_days TEXT NOT NULL DEFAULT '[]';
`
