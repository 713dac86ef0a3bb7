/** Where the programs of a test run: on this machine, or on one that the test makes (`boxes.ts`). */
export interface Machine {
  readonly folder: string
  /** Its address, as all others see it. */
  readonly host: string
  /** A command that runs another one there. */
  readonly under: readonly string[]
}

export function onLoopback(folder: string): Machine {
  return { folder, host: '127.0.0.1', under: [] }
}
