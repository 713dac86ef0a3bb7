/**
 * The size of a test without a natural end: `quick` in `npm test`, `long` if `TEST_SIZE=long`, as in
 * `.ci/run`.
 */
export function sized(quick: number, long: number): number {
  return process.env['TEST_SIZE'] === 'long' ? long : quick
}
