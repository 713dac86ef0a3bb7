/** Bounds of the nightly backup. */

/** How often the gateway checks whether the nightly backup is due. */
export const BACKUP_CHECK_EVERY_MS = 60_000
/** A failed nightly backup is tried again after an hour: a full or missing disk takes time to fix. */
export const BACKUP_RETRY_MS = 3_600_000
