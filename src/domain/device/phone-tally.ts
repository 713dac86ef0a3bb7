/** What a phone did since its last half-hour was recorded. It is counted in memory; a restart loses it. */
export class PhoneTally {
  sent = 0
  /** Attempts that failed, also those that are repeated. */
  failed = 0
  #offlineMs = 0
  /** Monotonic; null: the phone is online. */
  #offlineSince: number | null

  constructor(isOnline: boolean, monoMs: number) {
    this.#offlineSince = isOnline ? null : monoMs
  }

  noteOnline(isOnline: boolean, monoMs: number): void {
    this.#offlineMs += this.#offlineSince === null ? 0 : monoMs - this.#offlineSince
    this.#offlineSince = isOnline ? null : monoMs
  }

  /** Returns what was counted, and begins anew. */
  take(monoMs: number): { readonly sent: number; readonly failed: number; readonly offlineMs: number } {
    this.noteOnline(this.#offlineSince === null, monoMs)
    const taken = { sent: this.sent, failed: this.failed, offlineMs: this.#offlineMs }
    this.sent = 0
    this.failed = 0
    this.#offlineMs = 0
    return taken
  }
}
