/**
 * What the real program does with time, on a clock that this script moves: `node scripts/prove-time.ts PART`.
 * Parts: week-off, power-cut, wrong-clock (a minute each). ROOST_BINARY names an executable to run in place of
 * the bundle. Exit code 1: something was wrong, and is said.
 */
import { proveWrongClock, provePowerCut, proveWeekOff } from '#scripts/time/wrong-clocks.ts'

const PARTS = { 'week-off': proveWeekOff, 'power-cut': provePowerCut, 'wrong-clock': proveWrongClock }

const [, , name = ''] = process.argv
const prove = PARTS[name as keyof typeof PARTS]
if (prove === undefined) {
  console.error(`A part is one of: ${Object.keys(PARTS).join(', ')}`)
  process.exitCode = 2
} else {
  const cleaning: (() => unknown)[] = []
  const faults: string[] = []
  const say = (words: string) => console.log(words)
  const expect = (isRight: boolean, words: string) => {
    say(`${isRight ? 'ok' : 'WRONG'}: ${words}`)
    if (!isRight) faults.push(words)
  }
  try {
    await prove({ after: clean => cleaning.push(clean) }, { say, expect })
  } finally {
    for (const clean of cleaning.reverse()) await clean()
  }
  say(faults.length === 0 ? `${name}: all as it should be` : `${name}: ${faults.length} faults`)
  process.exitCode = faults.length === 0 ? 0 : 1
}
