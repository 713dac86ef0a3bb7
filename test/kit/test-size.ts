/** The number of trials of a test: `quick` in `npm test`, `long` if `TEST_SIZE=long`, as in `.ci/run`. */
export function sized(quick: number, long: number): number {
  return process.env['TEST_SIZE'] === 'long' ? long : quick
}
