/**
 * A number in shared memory, by which each thread knows whether its cached data is still valid. After each
 * commit that changes such data, the writer first raises the number and then answers. So when the caller has
 * the answer, every thread sees the new number.
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
