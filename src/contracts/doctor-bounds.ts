/** Bounds of `roost doctor`: the cost of its measurements, and the thresholds of its warnings. */

/** Synced writes that measure the disk: enough for a median, and only 80 KB of wear. */
export const FSYNC_PROBES_MAX = 20
/** Bytes of one such write: a database page. */
export const FSYNC_PROBE_BYTES = 4096
/** The measurement stops after this time: the disk is clearly slow. */
export const FSYNC_PROBE_MS_MAX = 3_000
/** Warn from here on: each send waits for one or two synced writes, and people notice this delay … */
export const FSYNC_SLOW_MS = 100
/** … and from here on, programs with a timeout of five seconds fail even under little load. */
export const FSYNC_VERY_SLOW_MS = 1_000
/** How long the doctor waits to hear the gateway's own mDNS announcement. */
export const DISCOVERY_HEARD_MS_MAX = 3_000
/** Free memory that a gateway needs to start; it uses 70 MB at rest and 120 MB under load. */
export const MEMORY_AVAILABLE_BYTES_MIN = 150_000_000
/** Free memory that should be left beside a gateway that runs. */
export const MEMORY_LEFT_BYTES_MIN = 50_000_000
/** Smallest sufficient memory limit of the service: sending at full pace peaked at 121 MB. */
export const MEMORY_LIMIT_BYTES_MIN = 134_217_728
/** Warn this long before the gateway's own authority expires: people must install the next one by hand. */
export const AUTHORITY_LEFT_MS_MIN = 90 * 86_400_000
/** A time server may correct the clock of a running gateway by this much without a warning. */
export const CLOCK_STEP_MS_MAX = 300_000
/** A nightly backup counts as missed this long after its time; it normally takes minutes. */
export const BACKUP_LATE_MS_MAX = 3_600_000
/** Wear of a memory card in tenths of its rated life (JEDEC eMMC 5.0, JESD84-B50); 11: life exceeded. */
export const CARD_WORN_TENTHS = 9
export const CARD_WORN_OUT_TENTHS = 11
