/**
 * A number in shared memory that tells each thread whether its cached data is still valid: the writer raises
 * the number after each commit that changes such data, and before it answers. So when the caller has the
 * answer, every thread sees the new number.
 */
export function createGenerationBuffer(): SharedArrayBuffer {
  return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)
}

export interface Generation {
  current(): number
  advance(): void
}

/** The same number for every thread that opens the same buffer. */
export function openGeneration(buffer: SharedArrayBuffer): Generation {
  const cell = new Int32Array(buffer)
  return {
    current: () => Atomics.load(cell, 0),
    advance() {
      Atomics.add(cell, 0, 1)
    },
  }
}
