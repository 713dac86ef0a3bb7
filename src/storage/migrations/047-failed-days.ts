/** On which days posts to a target failed since its last success (`domain/forward/failing.ts`). */
export const failedDays = `
ALTER TABLE notification_setting ADD COLUMN failed_days TEXT NOT NULL DEFAULT '[]';
ALTER TABLE notification_target ADD COLUMN failed_days TEXT NOT NULL DEFAULT '[]';
ALTER TABLE forward ADD COLUMN failed_days TEXT NOT NULL DEFAULT '[]';
`
