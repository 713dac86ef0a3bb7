/**
 * A number in shared memory that grows whenever something changes that threads remember. The writer
 * advances it after the commit and before the answer, so a thread that still sees the old number has not
 * seen the answer either.
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
