/**
 * What the real program does with time, on a clock that this script moves: `node scripts/prove-time.ts
 * PART…`. ROOST_BINARY names an executable to run in place of the bundle. Exit code 1: something was wrong.
 */
import { becomes } from '#scripts/time/timed-gateway.ts'
import {
  type Expect,
  proveBehind,
  proveNotifications,
  provePowerCut,
  proveWeekOff,
  proveWrongClock,
} from '#scripts/time/wrong-clocks.ts'
import { proveYear } from '#scripts/time/year-of-life.ts'

const PARTS = {
  'week-off': proveWeekOff,
  'power-cut': provePowerCut,
  behind: proveBehind,
  'wrong-clock': proveWrongClock,
  notifications: proveNotifications,
  year: proveYear,
}

const names = process.argv.slice(2)
const isPart = (name: string): name is keyof typeof PARTS => Object.hasOwn(PARTS, name)
if (names.length === 0 || !names.every(isPart)) {
  console.error(`A part is one of: ${Object.keys(PARTS).join(', ')}`)
  process.exitCode = 2
} else {
  let faults = 0
  for (const name of names) {
    const startedAt = performance.now()
    const cleaning: (() => unknown)[] = []
    const expect: Expect = async (isSo, words) => {
      const isRight = await becomes(isSo)
      console.log(`${isRight ? 'ok' : 'WRONG'}: ${words}`)
      if (!isRight) faults++
    }
    try {
      await PARTS[name]({ after: clean => cleaning.push(clean) }, expect)
    } finally {
      for (const clean of cleaning.reverse()) await clean()
    }
    console.log(`${name}: ${faults} faults so far, ${Math.round((performance.now() - startedAt) / 1000)} s`)
  }
  process.exitCode = faults === 0 ? 0 : 1
}
