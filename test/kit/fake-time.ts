/** Programs whose wall clock libfaketime moves. Their monotonic clock stays the machine's. */
import { globSync } from 'node:fs'

const [LIBRARY] = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')

/** Why this machine cannot move the clock of a program; false if it can. */
export const fakeTimeMissing: string | false = LIBRARY === undefined && 'faketime is not installed'

/** The environment of a program whose wall clock is off by a span such as `+70s` or `-100d`. */
export function wallClockOff(span: string): Record<string, string> {
  return { LD_PRELOAD: LIBRARY ?? '', FAKETIME: span, FAKETIME_DONT_FAKE_MONOTONIC: '1' }
}
