/**
 * How much a test does that could go on for ever: the quick amount in `npm test`, the long one where
 * `TEST_SIZE=long`, as in `.ci/run`.
 */
export function sized(quick: number, long: number): number {
  return process.env['TEST_SIZE'] === 'long' ? long : quick
}
