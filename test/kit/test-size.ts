/** The number of trials of a test: `quick` in `npm test`, `long` in `scripts/prove.sh` (`TEST_SIZE=long`). */
export function sized(quick: number, long: number): number {
  return process.env['TEST_SIZE'] === 'long' ? long : quick
}
