/** The bounds of the reference device (`src/agent`), with their reasons; the others are in `bounds.ts`. */

/** How long the check may take whether the phone can send; a sleeping phone takes some seconds. */
export const AGENT_PROBE_MS_MAX = 10_000
/** Between two looks at a phone that cannot send: each may show the dialogue of the permission again. */
export const AGENT_CHECK_EVERY_MS = 60_000
/** Before pairing: time for the user to answer the permission dialogue; the code lasts ten minutes. */
export const AGENT_PERMISSION_MS_MAX = 120_000
export const AGENT_PERMISSION_LOOK_MS = 5_000
/** A report that is not acknowledged is said again after this time. */
export const AGENT_REPEAT_MS = 10_000
/** Reports and received messages said in one go: well below `FRAMES_PER_SECOND_MAX`. */
export const AGENT_FRAMES_PER_FLUSH_MAX = 40
/** How often the agent looks at its watch: liveness, repeats, times to live. */
export const AGENT_TICK_MS = 1_000
/** Full jitter between nothing and a ceiling that doubles from the first to the second of these. */
export const AGENT_RECONNECT_MS_MIN = 500
export const AGENT_RECONNECT_MS_MAX = 30_000
/** A connection that lived this long was a good one: the next back-off starts from the bottom. */
export const AGENT_STEADY_MS = 60_000
/** The upgrade, and then the `welcome`, must come in this time. */
export const AGENT_WELCOME_MS_MAX = 15_000
/** Silence in units of the gateway's ping interval after which the gateway counts as dead. */
export const AGENT_PINGS_MISSED_MAX = 3
/** How long a stopping agent waits for a radio call in flight, and then for the acknowledgement. */
export const AGENT_STOP_MS_MAX = 10_000
export const AGENT_STOP_ACK_MS_MAX = 1_000
/** A gateway that does not answer the closing handshake in this time is left alone. */
export const AGENT_CLOSE_MS_MAX = 2_000
export const AGENT_TELEMETRY_LOOK_MS = 60_000
export const AGENT_TELEMETRY_EVERY_MS = 300_000
export const AGENT_INBOX_LOOK_MS = 15_000
/** One `sync` frame: the rest up to `FRAME_BYTES_MAX` is left for the envelope. */
export const AGENT_SYNC_BYTES_MAX = 14_000
/** The journal is rewritten when it is larger than this and than twice what it held after the last time. */
export const AGENT_JOURNAL_BYTES_MAX = 262_144
/** Open messages in the journal; the gateway offers three at a time. */
export const AGENT_MESSAGES_MAX = 1_000
/** Finished messages that are remembered, without number and text, so that none is taken twice. */
export const AGENT_FINISHED_MAX = 500
/** A radio command that takes longer is killed, and its outcome is uncertain. */
export const AGENT_COMMAND_MS_MAX = 60_000
export const AGENT_COMMAND_OUTPUT_BYTES_MAX = 1_048_576
export const AGENT_PAIR_MS_MAX = 15_000
/** A phone on Wi-Fi that sleeps answers after some seconds. */
export const SMSGATE_CALL_MS_MAX = 10_000
/** A page of the inbox: a hundred texts of ten parts, with room to spare. */
export const SMSGATE_ANSWER_BYTES_MAX = 1_048_576
/** Between two looks at a phone with a local server: its owner hears soon that it is away, or back. */
export const SMSGATE_CHECK_EVERY_MS = 10_000
/** Earlier addresses of a phone that are tried when it no longer answers at its own. */
export const SMSGATE_ADDRESSES_MAX = 5
/** The app surely keeps a message for this long: it removes old ones after a day at the earliest. */
export const SMSGATE_MEMORY_MS = 43_200_000
/** What a phone was seen to know is written down anew after this time: a text shall not cost a write each. */
export const SMSGATE_WITNESS_EVERY_MS = 3_600_000
/** In doubt for longer than this a text ends as uncertain: it is past any time to live. */
export const SMSGATE_DOUBT_MS_MAX = 345_600_000
/** Between two looks at a text that the phone has: doubling from the first to the second of these. */
export const SMSGATE_POLL_MS_MIN = 1_000
export const SMSGATE_POLL_MS_MAX = 30_000
/** Looks at texts that the phone has, at a time. */
export const SMSGATE_POLLS_MAX = 4
/** How long after its last news a text is looked at: many networks never report a delivery. */
export const SMSGATE_FOLLOW_MS_MAX = 7_200_000
/** Texts that are followed; of more the oldest is let go, so that the journal has room for new ones. */
export const SMSGATE_FOLLOWED_MAX = 400
/** Received texts asked for at a time, and how many pages of them in one look. */
export const SMSGATE_INBOX_PAGE = 100
export const SMSGATE_INBOX_PAGES_MAX = 100
/** How far behind the newest text the inbox is read again: the app enters some late. */
export const SMSGATE_INBOX_LOOK_BACK_MS = 3_600_000
/** A phone that is looked at all the time is looked at so many times as often while it cannot send. */
export const AGENT_TROUBLED_CHECKS = 5
/** Between two tries to find out about a text in doubt. */
export const AGENT_DOUBT_LOOK_MS = 5_000
