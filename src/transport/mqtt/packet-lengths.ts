/**
 * Follows the lengths of the packets of an MQTT connection, which stand in their first bytes (MQTT 5, section
 * 2.1). The library would keep a packet in memory until its last byte has come, however long it says it is.
 */
export class PacketLengths {
  readonly #most: number
  /** Bytes of the current packet that have not come. */
  #left = 0
  /** The head of the current packet: how many bytes have come, and the length that they say so far. */
  #headBytes = 0
  #length = 0

  /** `most`: bytes of a whole packet. */
  constructor(most: number) {
    this.#most = most
  }

  /** Whether all packets that begin in this chunk are short enough. */
  follow(chunk: Uint8Array): boolean {
    for (let at = 0; at < chunk.length; ) {
      if (this.#left > 0) {
        const passed = Math.min(this.#left, chunk.length - at)
        this.#left -= passed
        at += passed
        continue
      }
      const byte = chunk[at] ?? 0
      at += 1
      this.#headBytes += 1
      if (this.#headBytes === 1) continue
      // Seven bits in each byte, the lowest first. The highest bit says that another byte follows.
      this.#length += (byte & 0x7f) * 0x80 ** (this.#headBytes - 2)
      if (this.#headBytes + this.#length > this.#most || this.#headBytes > 5) return false
      if (byte >= 0x80) continue
      this.#left = this.#length
      this.#headBytes = 0
      this.#length = 0
    }
    return true
  }
}
