/** The number of trials of a test: `quick` in `npm test`, `long` in `scripts/prove.sh` (`TEST_SIZE=long`). */
export function sized(quick: number, long: number): number {
  return process.env['TEST_SIZE'] === 'long' ? long : quick
}

/** Why the quick size leaves a test out; false in the long size. `part` is one of `scripts/prove.sh`. */
export function onlyLong(part: string): string | false {
  return sized(0, 1) === 1 ? false : `takes long: scripts/prove.sh ${part}`
}
