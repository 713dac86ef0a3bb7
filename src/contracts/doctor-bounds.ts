/** Bounds of `roost doctor`: what it may cost, and from where on it warns. */

/** Forced writes that measure the disk: enough for a median, and no wear to speak of (80 KB). */
export const FSYNC_PROBES_MAX = 20
/** A page of the database. */
export const FSYNC_PROBE_BYTES = 4096
/** A disk that needs longer for them is slow enough to be told so. */
export const FSYNC_PROBE_MS_MAX = 3_000
/** Every send waits for a forced write or two: people notice this … */
export const FSYNC_SLOW_MS = 100
/** … and with this, programs that wait five seconds give up under a little load. */
export const FSYNC_VERY_SLOW_MS = 1_000
/** How long the network is listened to for the gateway's own announcement. */
export const DISCOVERY_HEARD_MS_MAX = 3_000
/** What a gateway that starts needs on top of what runs; it uses 70 MB at rest and 120 MB under load. */
export const MEMORY_AVAILABLE_BYTES_MIN = 150_000_000
/** The same for one that runs and has its memory already. */
export const MEMORY_LEFT_BYTES_MIN = 50_000_000
/** Sends at full pace were measured to peak at 121 MB. */
export const MEMORY_LIMIT_BYTES_MIN = 134_217_728
/** An authority is installed by hand everywhere: that takes its time. */
export const AUTHORITY_LEFT_MS_MIN = 90 * 86_400_000
/** The clock may be corrected by this much while the gateway runs: time servers do. */
export const CLOCK_STEP_MS_MAX = 300_000
/** A nightly backup is made within minutes of its time; the check leaves it this long. */
export const BACKUP_LATE_MS_MAX = 3_600_000
/** JEDEC eMMC 5.0 (JESD84-B50) counts wear in steps of a tenth; 11: beyond what the maker promises. */
export const CARD_WORN_TENTHS = 9
export const CARD_WORN_OUT_TENTHS = 11
